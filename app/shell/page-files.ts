import { createContext } from "react";

/**
 * A page's companions: the stylesheet that is inlined into it, the address of its script, and whether it `failed`:
 * its form was refused, or there is no page. The server fills in all of it.
 */
export const PageFiles = createContext({ css: "", script: "", failed: false });
