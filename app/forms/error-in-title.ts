import { createContext } from "react";

/** Lets a form mark the page title when the browser found an error and didn't send it (C-02). */
export const ErrorInTitle = createContext<(fault: boolean) => void>(() => undefined);
