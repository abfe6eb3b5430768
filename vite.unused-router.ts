import { cutsIn, type Cut } from "./vite.unused-piece";

const router = cutsIn("/@remix-run/router/dist/router.js");
const dom = cutsIn("/react-router-dom/dist/index.js");

/** What nothing calls, we and Remix included, but the router's object offers. */
const METHODS = [
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

/** Loading and sending without a navigation: no `useFetcher`, and no form has `navigate={false}`. */
const FETCHERS = [
  dom.replaced("if (options.navigate === false) {", "if (false) {"),
  router.never("if (future.v7_fetcherPersist) {\n      state.fetchers.forEach("),
  router.never("deletedFetchers.forEach(key => {"),
  router.never("if (future.v7_fetcherPersist) {\n      completedFetchers.forEach("),
  router.never("if (revalidatingFetchers.length > 0) {"),
  router.never("revalidatingFetchers.forEach(rf => {\n      abortFetcher(rf.key);"),
  router.never("revalidatingFetchers.forEach(rf => {\n    let {"),
  router.never("fetchLoadMatches.forEach((_, key) => {"),
  router.never("fetchLoadMatches.forEach((f, key) => {"),
  router.followed(
    "        shortCircuited: true\n      };\n    }\n    redirect = findRedirect(fetcherResults);\n    ",
    "if (false) ",
  ),
  router.followed("function markFetchRedirectsDone() {\n", "return false;\n"),
  router.followed("function abortStaleFetchLoads(landedId) {\n", "return false;\n"),
];

/** Leaving a screen is never held back: no `useBlocker`. */
const BLOCKERS = [
  router.replaced(
    `let blockerKey = shouldBlockNavigation({
        currentLocation: state.location,
        nextLocation: location,
        historyAction
      });
      if (blockerKey && delta != null) {`,
    "let blockerKey;\n      if (false) {",
  ),
  router.replaced(
    `let blockerKey = shouldBlockNavigation({
      currentLocation,
      nextLocation,
      historyAction
    });
    if (blockerKey) {`,
    "let blockerKey;\n    if (false) {",
  ),
  router.never("if (unblockBlockerHistoryUpdate) {"),
  router.never("if (blockers.size > 0) {"),
];

/** Animated changes of the screen: no link or form has `viewTransition`. */
const VIEW_TRANSITIONS = [
  router.never("if (isBrowser) {\n      // FIXME: This feels gross."),
  router.never("if (pendingAction === Action.Pop) {\n      // Forward takes precedence"),
  dom.replaced("if (!viewTransitionOpts || isViewTransitionUnavailable) {", "if (true) {"),
  dom.never("if (vtContext.isTransitioning && !vtContext.flushSync) {"),
  dom.never("if (renderDfd && pendingState && router.window) {"),
  dom.never("if (renderDfd && pendingState && state.location.key === pendingState.location.key) {"),
  dom.never("if (!vtContext.isTransitioning && interruption) {"),
];

/** Data that comes after the page, by `defer`: single fetch has its own way, and our loaders wait for theirs. */
const DEFERRED = [
  router.replaced("return result.type === ResultType.deferred;", "return false;"),
  router.never("if (isDeferredData(result)) {"),
  router.gone(
    "    await Promise.all([resolveNavigationDeferredResults(matches, loaderResults, request.signal, currentMatches, state.loaderData), resolveFetcherDeferredResults(matches, fetcherResults, fetchersToLoad)]);\n",
  ),
  router.never("activeDeferreds.forEach((deferredData, routeId) => {"),
];

/** Routes that come when they are needed: lazy route discovery is off. */
const DISCOVERY = [
  router.replaced(
    "let patchRoutesOnNavigationImpl = init.patchRoutesOnNavigation;",
    "let patchRoutesOnNavigationImpl;",
  ),
  router.never("if (isFogOfWar) {\n      if (shouldUpdateNavigationState) {"),
  router.never(
    "if (isFogOfWar) {\n      let discoverResult = await discoverRoutes(matches, location.pathname, request.signal);",
  ),
];

/** Each would keep a feature of React Router in the browser's scripts that we don't use. */
export const UNUSED_ROUTER: readonly Cut[] = [
  ...METHODS,
  ...FETCHERS,
  ...BLOCKERS,
  ...VIEW_TRANSITIONS,
  ...DEFERRED,
  ...DISCOVERY,
  // What React Router 7 will change, told to developers.
  dom.gone(
    "  React.useEffect(() => UNSAFE_logV6DeprecationWarnings(future, router.future), [future, router.future]);\n",
  ),
];

/** What of React Router would run them. */
export const ROUTER_USES_CUTS = [
  "Await",
  "ScrollRestoration",
  "defer",
  "useAsyncValue",
  "useBlocker",
  "useFetcher",
  "usePrompt",
  "useViewTransitionState",
];
