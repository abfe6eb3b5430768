import type { Plugin } from "vite";
import { cutsIn, cutting } from "./vite.library-cuts";

const data = cutsIn("/@remix-run/server-runtime/dist/esm/data.js");

/** A function of Remix that copies the request it is given, to leave a parameter out of the query. */
const copying = (name: string) =>
  data.replaced(
    `function ${name}(request) {\n`,
    `function ${name}(request) {\n  if (!request.url.includes("?")) return request;\n`,
  );

/**
 * Lets loaders and actions have the request itself when it has no query. Remix copies it twice for each of them, and a
 * copy with its abort signal costs as much as a call to the backend (docs/performance.md).
 */
export function withoutCopiedRequests(): Plugin {
  return cutting("ssr", [copying("stripIndexParam"), copying("stripRoutesParam")]);
}
