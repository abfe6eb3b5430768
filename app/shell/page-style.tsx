import { createContext } from "react";

/**
 * The stylesheet that is inlined into the page, and the nonce of its scripts. The server fills both in; the browser
 * takes the stylesheet over from the page, so that it is not in the scripts a second time.
 */
export const PageStyle = createContext<{ readonly css: string; readonly nonce: string | undefined }>({
  css: "",
  nonce: undefined,
});
