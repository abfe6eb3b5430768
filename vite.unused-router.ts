import { cutsIn, type Cut } from "./vite.unused-piece";

const router = cutsIn("/@remix-run/router/dist/router.js");

/**
 * What the router's object offers and nothing calls, neither we nor Remix: fetchers, blockers, restored scroll positions,
 * routes that come later. Whatever only these use goes with them.
 */
export const UNUSED_ROUTER: readonly Cut[] = [
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
export const ROUTER_USES_CUTS = ["ScrollRestoration", "useBlocker", "useFetcher", "usePrompt"];
