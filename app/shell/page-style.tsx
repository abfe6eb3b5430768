import { createContext } from "react";

/**
 * The stylesheet inlined into the page, and the nonce of its scripts. The server fills in both; the browser takes the
 * stylesheet from the page, so that the scripts don't contain it again.
 */
export const PageStyle = createContext<{ readonly css: string; readonly nonce: string | undefined }>({
  css: "",
  nonce: undefined,
});
