import { createContext } from "react";

/**
 * Lets a form say whether the page title is marked (C-02): `true` when the browser found an error and didn't send the
 * form, `false` when a refused value has changed, `undefined` when the server's answer decides.
 */
export const ErrorInTitle = createContext<(fault: boolean | undefined) => void>(() => undefined);
