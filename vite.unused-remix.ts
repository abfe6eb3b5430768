import { cutsIn, type Cut } from "./vite.unused-piece";

const REMIX = "/@remix-run/react/dist/esm/";
const routes = cutsIn(`${REMIX}routes.js`);
const browser = cutsIn(`${REMIX}browser.js`);
const fetching = cutsIn(`${REMIX}single-fetch.js`);
const boundaries = cutsIn(`${REMIX}errorBoundaries.js`);
const components = cutsIn(`${REMIX}components.js`);

/** Each would keep a feature of Remix in the browser's scripts that we have switched off or don't use. */
export const UNUSED_REMIX: readonly Cut[] = [
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
export const REMIX_USES_CUTS = ["HydrateFallback", "clientAction", "clientLoader", "links"];
