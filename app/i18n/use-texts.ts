import { createContext, useContext } from "react";
import { textsIn, type Translate } from "./texts.server";

/** The texts of the page's language; root.tsx provides them. */
export const PageTexts = createContext<Translate>(textsIn());

/** For a component: the texts of its page's language, as in `t("signIn:header")`. */
export function useTexts(): Translate {
  return useContext(PageTexts);
}
