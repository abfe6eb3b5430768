import { createContext } from "react";

/** Tells the title of the page that a form of it was not sent: the browser found something wrong (C-02). */
export const ErrorInTitle = createContext<(fault: boolean) => void>(() => undefined);
