import type { Plugin } from "vite";

/** A piece of Remix's source that never runs in our pages, and what takes its place. */
interface Cut {
  /** The end of the file's path. */
  readonly file: string;
  readonly code: string;
  readonly instead?: string;
}

const REMIX = "/@remix-run/react/dist/esm/";

/** Each would keep a feature in the browser's scripts that we have switched off or don't use. */
const CUTS: readonly Cut[] = [
  // Without single fetch, each loader's data would come on its own.
  {
    file: `${REMIX}routes.js`,
    code: `      let result = await fetchServerHandler(request, route);
      return unwrap ? unwrapServerResponse(result) : result;
`,
  },
  // With lazy route discovery, routes would come when links to them are shown.
  {
    file: `${REMIX}browser.js`,
    code: "getPatchRoutesOnNavigationFunction(window.__remixManifest, window.__remixRouteModules, window.__remixContext.future, window.__remixContext.isSpaMode, window.__remixContext.basename)",
    instead: "undefined",
  },
  {
    file: `${REMIX}browser.js`,
    code: "  useFogOFWarDiscovery(router, window.__remixManifest, window.__remixRouteModules, window.__remixContext.future, window.__remixContext.isSpaMode);\n",
  },
  // A page that waits for a `clientLoader`: no route has one.
  {
    file: `${REMIX}errorBoundaries.js`,
    code: "renderScripts ? /*#__PURE__*/React.createElement(Scripts, null) : null",
    instead: "null",
  },
  // Stylesheets of routes: ours is in the page, which has no <Links>.
  {
    file: `${REMIX}routes.js`,
    code: "cachedModule ? prefetchStyleLinks(route, cachedModule) : Promise.resolve()",
    instead: "undefined",
  },
  { file: `${REMIX}routes.js`, code: "  await prefetchStyleLinks(route, routeModule);\n" },
  // Names for React's developer tools: they keep components that nothing uses.
  { file: `${REMIX}components.js`, code: 'NavLink.displayName = "NavLink";\n' },
  { file: `${REMIX}components.js`, code: '\nLink.displayName = "Link";\n', instead: "\n" },
  { file: `${REMIX}components.js`, code: 'Form.displayName = "Form";\n' },
];

/** The flags in Remix's settings that decide whether the cut pieces run. */
interface RemixFlags {
  readonly v3_singleFetch: boolean;
  readonly v3_lazyRouteDiscovery: boolean;
}

/**
 * Takes the parts of Remix that never run out of the browser's scripts (docs/decisions/browser-scripts.md). Fails the
 * build if Remix no longer has one of them, or if the flags would run them.
 */
export function withoutUnusedRemix(flags: RemixFlags): Plugin {
  if (!flags.v3_singleFetch || flags.v3_lazyRouteDiscovery) {
    throw new Error("vite.unused-remix.ts cuts out what these flags of Remix need");
  }
  const done = new Set<Cut>();
  return {
    name: "without-unused-remix",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code, id) {
      const cuts = CUTS.filter(({ file }) => id.endsWith(file));
      if (cuts.length === 0) return undefined;
      return { code: cuts.reduce(cutOut, code), map: null };

      function cutOut(from: string, cut: Cut): string {
        if (from.split(cut.code).length !== 2)
          throw new Error(`${cut.file} no longer has, once: ${cut.code}`);
        done.add(cut);
        return from.replace(cut.code, () => cut.instead ?? "");
      }
    },
    generateBundle() {
      const missing = CUTS.filter((cut) => !done.has(cut));
      if (missing.length > 0)
        throw new Error(`Remix no longer has ${missing.map(({ file }) => file).join(", ")}`);
    },
  };
}
