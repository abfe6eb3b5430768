import type { Plugin, Rollup } from "vite";
import { cutsIn, cutting, type Cut } from "./vite.library-cuts";

const REMIX = "/@remix-run/react/dist/esm/";
const routes = cutsIn(`${REMIX}routes.js`);
const browser = cutsIn(`${REMIX}browser.js`);
const fetching = cutsIn(`${REMIX}single-fetch.js`);
const boundaries = cutsIn(`${REMIX}errorBoundaries.js`);
const components = cutsIn(`${REMIX}components.js`);

/** Each would keep a feature of Remix in the browser's scripts that we have switched off or don't use. */
const UNUSED_REMIX: readonly Cut[] = [
  // Without single fetch, each loader's data would come on its own.
  routes.gone(`      let result = await fetchServerHandler(request, route);
      return unwrap ? unwrapServerResponse(result) : result;
`),
  // With lazy route discovery, routes would come when links to them are shown.
  browser.replaced(
    "getPatchRoutesOnNavigationFunction(window.__remixManifest, window.__remixRouteModules, window.__remixContext.future, window.__remixContext.isSpaMode, window.__remixContext.basename)",
    "undefined",
  ),
  browser.gone(
    "  useFogOFWarDiscovery(router, window.__remixManifest, window.__remixRouteModules, window.__remixContext.future, window.__remixContext.isSpaMode);\n",
  ),
  // A page that waits for a `clientLoader`: no route has one, nor a `clientAction`.
  boundaries.replaced("renderScripts ? /*#__PURE__*/React.createElement(Scripts, null) : null", "null"),
  routes.replaced('route.id === "root" ? RemixRootDefaultHydrateFallback : undefined', "undefined"),
  routes.replaced("if (!routeModule.clientLoader) {", "if (true) {"),
  routes.replaced("if (!routeModule.clientAction) {", "if (true) {"),
  routes.never("if (mod.clientLoader) {"),
  routes.never("if (mod.clientAction) {"),
  fetching.never("if (manifest.routes[m.route.id].hasClientLoader) {"),
  // Fetchers, which load or send without a navigation.
  fetching.never("if (fetcherKey) {"),
  // Stylesheets of routes: ours is in the page, which has no <Links>.
  routes.replaced("cachedModule ? prefetchStyleLinks(route, cachedModule) : Promise.resolve()", "undefined"),
  routes.gone("  await prefetchStyleLinks(route, routeModule);\n"),
  // Routes that change during development.
  browser.gone("    router.createRoutesForHMR = createClientRoutesWithHMRRevalidationOptOut;\n"),
  routes.never("if (needsRevalidation) {"),
  // Names for React's developer tools: they keep components that nothing uses.
  components.gone('NavLink.displayName = "NavLink";\n'),
  components.replaced('\nLink.displayName = "Link";\n', "\n"),
  components.gone('Form.displayName = "Form";\n'),
];

/** What in a route's module would run them. */
const REMIX_USES_CUTS = ["HydrateFallback", "clientAction", "clientLoader", "links"];

const router = cutsIn("/@remix-run/router/dist/router.js");

/**
 * What the router's object offers and nothing calls, neither we nor Remix: fetchers, blockers, restored scroll positions,
 * routes that come later. Whatever only these use goes with them.
 */
const UNUSED_ROUTER: readonly Cut[] = [
  router.gone("    enableScrollRestoration,\n"),
  router.replaced("    navigate,\n    fetch,\n", "    navigate,\n"),
  router.gone(`    getFetcher,
    deleteFetcher: deleteFetcherAndUpdateState,
    dispose,
    getBlocker,
    deleteBlocker,
    patchRoutes,
    _internalFetchControllers: fetchControllers,
    _internalActiveDeferreds: activeDeferreds,
    // TODO: Remove setRoutes, it's temporary to avoid dealing with
    // updating the tree while validating the update algorithm.
    _internalSetRoutes
`),
];

/** What of React Router would call them. */
const ROUTER_USES_CUTS = ["ScrollRestoration", "useBlocker", "useFetcher", "usePrompt"];

const CUTS: readonly Cut[] = [...UNUSED_REMIX, ...UNUSED_ROUTER];

/** What of a library, or in a route's module, would run what is cut out. */
const USES_CUTS: readonly string[] = [...REMIX_USES_CUTS, ...ROUTER_USES_CUTS];

/** The flags in Remix's settings that decide whether the cut pieces run. */
interface RemixFlags {
  readonly v3_singleFetch: boolean;
  readonly v3_lazyRouteDiscovery: boolean;
}

/**
 * Takes the parts of the libraries that never run out of the browser's scripts (docs/decisions/browser-scripts.md).
 * Fails the build if a library no longer has one of them, or if Remix's flags or our code would run them.
 */
export function withoutUnusedCode(flags: RemixFlags): Plugin[] {
  if (!flags.v3_singleFetch || flags.v3_lazyRouteDiscovery) {
    throw new Error("vite.unused-code.ts cuts out what these flags of Remix need");
  }
  const unusedStaysUnused: Plugin = {
    name: "unused-stays-unused",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle(_options, bundle) {
      const used = Object.values(bundle).flatMap(usesOfCuts);
      if (used.length > 0) throw new Error(`vite.unused-code.ts cut out what this needs: ${used.join(", ")}`);
    },
  };
  return [unusedStaysUnused, cutting("client", CUTS)];
}

/** What a script exports, or keeps of a library, that can't work without a piece that is cut out. */
function usesOfCuts(file: Rollup.OutputAsset | Rollup.OutputChunk): readonly string[] {
  if (file.type === "asset") return [];
  const ofLibraries = Object.entries(file.modules)
    .filter(([id]) => id.includes("/node_modules/"))
    .flatMap(([, { renderedExports }]) => renderedExports);
  return [...file.exports, ...ofLibraries].filter((name) => USES_CUTS.includes(name));
}
