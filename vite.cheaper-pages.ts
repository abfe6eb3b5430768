import type { Plugin } from "vite";
import { cutsIn, cutting, type Cut } from "./vite.library-cuts";

const data = cutsIn("/@remix-run/server-runtime/dist/esm/data.js");
const singleFetch = cutsIn("/@remix-run/server-runtime/dist/esm/single-fetch.js");
const turboStream = cutsIn("/turbo-stream/dist/turbo-stream.mjs");
const router = cutsIn("/@remix-run/router/dist/router.js");
const remixServer = cutsIn("/@remix-run/react/dist/esm/server.js");
const staticRouter = cutsIn("/react-router-dom/server.mjs");
const jsx = cutsIn("/react/cjs/react-jsx-runtime.production.min.js");

/** A function of Remix that copies the request it is given, to leave a parameter out of the query. */
const copying = (name: string) =>
  data.replaced(
    `function ${name}(request) {\n`,
    `function ${name}(request) {\n  if (!request.url.includes("?")) return request;\n`,
  );

/** Loaders and actions get the request itself when it has no query. Remix copies it twice for each of them. */
const UNCOPIED_REQUESTS: readonly Cut[] = [copying("stripIndexParam"), copying("stripRoutesParam")];

/**
 * A page's data is encoded at once, as text. Remix makes a stream that waits for what is deferred, with a timer and an
 * abort signal; nothing of ours is deferred.
 */
const DATA_AT_ONCE: readonly Cut[] = [
  turboStream.replaced(
    "  const textEncoder = new TextEncoder();\n  let lastSentIndex = 0;\n  const readable = new ReadableStream({",
    `  const whole = flatten.call(encoder, input);
  if (Object.keys(encoder.deferred).length > 0) throw new Error("A page's data can't be deferred");
  return whole < 0 ? \`\${whole}\\n\` : \`[\${encoder.stringified.join(",")}]\\n\`;
  const textEncoder = new TextEncoder();
  let lastSentIndex = 0;
  const readable = new ReadableStream({`,
  ),
  singleFetch.gone("  let controller = new AbortController();\n"),
  singleFetch.gone(
    '  let timeoutId = setTimeout(() => controller.abort(new Error("Server Timeout")), typeof streamTimeout === "number" ? streamTimeout : 4950);\n  requestSignal.addEventListener("abort", () => clearTimeout(timeoutId));\n',
  ),
  singleFetch.gone("    signal: controller.signal,\n"),
];

/** The source of a function that makes something once for each object that it is given first. */
const madeOnce = (name: string, make: string) => `const ${name} = ((known, make) => (from, ...rest) => {
  if (!known.has(from)) known.set(from, make(from, ...rest));
  return known.get(from);
})(new WeakMap(), ${make});
`;

/** The router sorts its routes once, and compiles each of their paths once. It does both for every match. */
const REMEMBERED_ROUTES: readonly Cut[] = [
  router.replaced(
    "function matchRoutesImpl(routes,",
    `${madeOnce(
      "rankedBranches",
      `(routes) => {
  let ranked = flattenRoutes(routes);
  rankRouteBranches(ranked);
  return ranked;
}`,
    )}const compiledPaths = new Map();
function compiledPath(path, caseSensitive, end) {
  let key = \`\${caseSensitive} \${end} \${path}\`;
  let compiled = compiledPaths.get(key) ?? compilePath(path, caseSensitive, end);
  compiledPaths.set(key, compiled);
  return compiled;
}
function matchRoutesImpl(routes,`,
  ),
  router.replaced(
    "  let branches = flattenRoutes(routes);\n  rankRouteBranches(branches);\n",
    "  let branches = rankedBranches(routes);\n",
  ),
  router.replaced(
    "= compilePath(pattern.path, pattern.caseSensitive, pattern.end);",
    "= compiledPath(pattern.path, pattern.caseSensitive, pattern.end);",
  ),
];

/** The routes that React renders are made once for each manifest, and sorted once with it. Remix makes them for every page. */
const SHARED_ROUTES: readonly Cut[] = [
  remixServer.replaced(
    "function RemixServer({",
    `${madeOnce("sharedRoutes", "(manifest, ...rest) => createServerRoutes(manifest.routes, ...rest)")}function RemixServer({`,
  ),
  remixServer.replaced(
    "createServerRoutes(manifest.routes, routeModules, context.future, context.isSpaMode);",
    "sharedRoutes(manifest, routeModules, context.future, context.isSpaMode);",
  ),
  staticRouter.replaced(
    "function createStaticRouter(routes,",
    `${madeOnce(
      "sharedData",
      `(routes) => {
  let manifest = {};
  let dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, manifest);
  return { manifest, dataRoutes };
}`,
    )}function createStaticRouter(routes,`,
  ),
  staticRouter.replaced(
    `  let manifest = {};
  let dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, manifest);

`,
    "  let { manifest, dataRoutes } = sharedData(routes);\n",
  ),
];

/** An element takes its properties as they come, as in React 19. React 18 copies them, in case they are used again. */
const UNCOPIED_PROPERTIES: readonly Cut[] = [
  jsx.replaced(
    "function q(c,a,g){",
    'function q(c,a,g){if(!("key"in a||"ref"in a||c&&c.defaultProps))return{$$typeof:k,type:c,key:void 0===g?null:""+g,ref:null,props:a,_owner:n.current};',
  ),
];

/**
 * Spares pages what the libraries do for features that we don't use, or do again for every page
 * (docs/decisions/cheaper-pages.md).
 */
export function cheaperPages(): Plugin {
  return cutting("ssr", [
    ...UNCOPIED_REQUESTS,
    ...DATA_AT_ONCE,
    ...REMEMBERED_ROUTES,
    ...SHARED_ROUTES,
    ...UNCOPIED_PROPERTIES,
  ]);
}
