import { createContext } from "react";

/**
 * What a page brings along: the stylesheet that is inlined into it, the address of its script, and whether it `failed`:
 * its form was refused, or there is no page. The server fills in all of it.
 */
export const PageFiles = createContext({ css: "", script: "", failed: false });
