import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Plugin, type Rollup } from "vite";
import { localeFaults, readEveryFolder } from "./app/i18n/locale-faults.server";
import { EXTERNAL } from "./vite.external";
import { cheaperPages } from "./vite.cheaper-pages";
import { withoutUnusedCode } from "./vite.unused-code";
import { workersInDevelopment } from "./vite.worker.config";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

const OLDEST_BROWSERS = ["chrome70", "safari12", "firefox78"];

const FUTURE = {
  v3_fetcherPersist: true,
  v3_relativeSplatPath: true,
  v3_throwAbortReason: true,
  v3_singleFetch: true,
  // Discovery would match every ancestor of any made-up address (S104); we have few routes and send them at once.
  v3_lazyRouteDiscovery: false,
  v3_routeConfig: true,
} as const;

/** No code reads a property for its side effects, or uses what the router's `warning` (to its developers) returns. */
const SMALL = { passes: 2, pure_getters: true, pure_funcs: ["warning"] };

/** Needed only by the screens after the sign-in page. */
const FLOWS =
  /\/app\/(journeys\/(kit\/(code-screen|start-screen|new-password|password-checklist)|document-password\/document-password-screen|customer-area\/(profile-parts|policy-facts|policy-documents|claim-section))|enhancements\/(code-entry|filled-form|focus-on-arrival|code-from-message|throttle|live-checklist|copy-button|session-warning|session-clock|print-button)|ui\/(checklist|step-indicator|switch-field|policy-card|policy-heading|product-icons|state-badge|back-link|fact-list|section|customer-page|bullet-list|disclosure|icon-link|masked-phone))/;

/** The pictures of screens that are not the first, the frame around those behind the sign-in, and the list of common words. */
const APART =
  /\/app\/(ui\/illustrations\/of-screens|shell\/session-layout|forms\/rules\/(weak-password|common-words))/;

/** One file per screen and a few shared ones: a first visit makes few requests, each further screen one or two. */
function chunkOf(id: string): string | undefined {
  if (/node_modules\//.test(id) || id.startsWith("\0")) return "framework";
  if (APART.test(id)) return undefined;
  if (FLOWS.test(id)) return "flows";
  if (/\/app\/(contract|forms|ui|shell|enhancements|journeys\/kit)\//.test(id)) return "ui";
  return undefined;
}

/** Two shared files that import each other break every page: one of them runs before the other is there. */
function refuseCircularChunks(warning: Rollup.RollupLog, warn: Rollup.LoggingFunction): void {
  if (warning.code === "CIRCULAR_CHUNK") throw new Error(warning.message);
  warn(warning);
}

/** Fails the build when one language lacks a text that the other has. */
function matchingLanguages(): Plugin {
  const root = fileURLToPath(new URL(".", import.meta.url));
  return {
    name: "matching-languages",
    buildStart() {
      const faults = localeFaults(readEveryFolder(root));
      // No stack: it doesn't help anyone find the missing text.
      if (faults.length > 0) throw Object.assign(new Error("texts"), { stack: faults.join("\n") });
    },
  };
}

/** Adds a copy of each browser script, packed by brotli at its best. */
function packedScripts(): Plugin {
  const assets = fileURLToPath(new URL("./build/client/assets", import.meta.url));
  return {
    name: "packed-scripts",
    apply: "build",
    writeBundle() {
      // The server's build runs last, and adds the route manifest to the browser's scripts.
      if (this.environment.name !== "ssr") return;
      for (const name of readdirSync(assets).filter((file) => file.endsWith(".js"))) {
        const code = readFileSync(join(assets, name));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: code.length };
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(code, { params }));
      }
    },
  };
}

const SERVER_BUILD = "virtual:remix/server-build";

/** Remix' development server gives loaders no context, so ours answers in its place, with the same function as in production. */
function contextInDevelopment(): Plugin {
  return {
    name: "context-in-development",
    apply: "serve",
    configureServer: (server) => {
      let isMounted = false;
      let loaded: Promise<unknown> = Promise.resolve();
      // One at a time: while a build loads, its exports are not there yet.
      const load = (): Promise<DevelopmentBuild> => {
        const build = loaded.then(() => server.ssrLoadModule(SERVER_BUILD) as Promise<DevelopmentBuild>);
        loaded = build.catch(() => undefined);
        return build;
      };
      // Loading it mounts the front door.
      server.httpServer?.once("listening", () => {
        void load().then(
          () => (isMounted = true),
          () => undefined,
        );
      });
      return () => {
        server.middlewares.use((request, response, next) => {
          const isTooEarly = !isMounted;
          load()
            .then(({ entry }) => {
              // It came by no front door, so it has no context: the browser asks again.
              if (isTooEarly) response.writeHead(307, { Location: request.url }).end();
              else entry.module.answerFromApp(request, response);
            })
            .catch(next);
        });
      };
    },
  };
}

/** What the plugin needs of a build. */
interface DevelopmentBuild {
  readonly entry: { readonly module: { readonly answerFromApp: RequestListener } };
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    matchingLanguages(),
    contextInDevelopment(),
    remix({
      future: FUTURE,
    }),
    withoutUnusedCode(FUTURE),
    cheaperPages(),
    packedScripts(),
    workersInDevelopment(),
  ],
  ...(command === "build" && {
    ssr: { noExternal: true as const, external: EXTERNAL },
    // React's other half, for development, would be bundled too.
    define: { "process.env.NODE_ENV": '"production"' },
  }),
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  build: {
    // All browsers with modules support these targets; older ones get the portal without scripts.
    target: isSsrBuild ? "node20" : OLDEST_BROWSERS,
    // The server's build makes the styles, which are inlined into its pages.
    cssTarget: OLDEST_BROWSERS,
    // No source code and no data: URI reaches the browser (S62; img-src is 'self').
    sourcemap: false,
    ...(!isSsrBuild && { minify: "terser" as const, terserOptions: { compress: SMALL } }),
    assetsInlineLimit: 0,
    ...(!isSsrBuild && {
      rollupOptions: { output: { manualChunks: chunkOf }, onwarn: refuseCircularChunks },
    }),
  },
}));
