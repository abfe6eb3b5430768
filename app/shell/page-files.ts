import { createContext } from "react";

/**
 * The parts of a page beside its screen: the stylesheet that is inlined into it, the address of its script, and whether
 * it `failed`: its form was refused, or there is no page. The server fills in all three.
 */
export const PageFiles = createContext({ css: "", script: "", failed: false });
