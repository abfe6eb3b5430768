import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import { build, defineConfig, type ConfigEnv, type Plugin, type UserConfig } from "vite";
import { localeFaults, readEveryFolder } from "./app/i18n/locale-faults.server";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * Packages that the build for Node leaves outside. All others become part of a few files: Node would look for, read and
 * compile a thousand small ones, which took a fifth of a portal's start and most of a command's.
 */
const EXTERNAL = [
  // Native code, which no bundle can hold.
  "@node-rs/argon2",
  "@photostructure/sqlite",
  // remix-serve has loaded them anyway.
  "@remix-run/node",
  "compression",
  // Loaded only where there is a forward proxy.
  "undici",
  // Finds its threads' files beside its own.
  "pino",
  // Loaded by few processes, with the first document. They read files beside their own.
  "@neslinesli93/qpdf-wasm",
  "fontkit",
  "pdfkit",
  "piscina",
];

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

/**
 * Fails the build when one language lacks a text that the other has. The development server says so once and goes on:
 * a text that is missing is shown in Polish.
 */
function matchingLanguages(isDevelopment: boolean): Plugin {
  const root = fileURLToPath(new URL(".", import.meta.url));
  let isSaid = false;
  return {
    name: "matching-languages",
    buildStart() {
      const faults = localeFaults(readEveryFolder(root));
      if (faults.length === 0 || (isDevelopment && isSaid)) return;
      isSaid = true;
      // No stack: it doesn't help to find the missing text.
      if (!isDevelopment) throw Object.assign(new Error("texts"), { stack: faults.join("\n") });
      console.warn(
        `⚠ Unfinished texts, shown in Polish (npm run build refuses them):\n  ${faults.join("\n  ")}`,
      );
    },
  };
}

/**
 * Removes everything but the browser's script from the client build (docs/decisions/no-hydration.md). Remix builds each
 * route for hydration, too, and lists them in a manifest.
 */
function onlyTheScript(): Plugin {
  const assets = fileURLToPath(new URL("./build/client/assets", import.meta.url));
  const isScript = (id: string | null) => id?.endsWith("/app/entry.client.ts") === true;
  return {
    name: "only-the-script",
    apply: "build",
    enforce: "post",
    load: {
      order: "pre",
      handler: (id) =>
        // Vite's own preloads the stylesheets of what is imported, and there are none.
        id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : undefined,
    },
    transform(_code, id) {
      if (this.environment.name !== "client" || !this.getModuleInfo(id)?.isEntry || isScript(id))
        return undefined;
      return { code: "export {};", map: null };
    },
    generateBundle: {
      // After Vite has listed them for Remix, which insists on a file for each route.
      order: "post",
      handler(_options, bundle) {
        if (this.environment.name !== "client") return;
        for (const [name, file] of Object.entries(bundle))
          if (file.type === "chunk" && file.isEntry && !isScript(file.facadeModuleId))
            Reflect.deleteProperty(bundle, name);
      },
    },
    writeBundle() {
      // The server's build runs last, and writes the manifest.
      if (this.environment.name !== "ssr") return;
      for (const name of readdirSync(assets)) if (name.startsWith("manifest-")) rmSync(join(assets, name));
    },
  };
}

const PDF_WORKER = "app/backend/documents/pdf-worker.ts";

/**
 * The programs for Node, by the names of their entries in `build/server`. They are one build, so that what they share is
 * bundled once. Remix' own entry has no server: the portal's takes its place, and exports it again.
 */
const PROGRAMS = {
  index: "app/server/start.ts",
  portal: "app/operators/index.server.ts",
  "help-desk": "app/server/start-help-desk.ts",
  "pdf-worker": PDF_WORKER,
};

/** Those that units, images and people start by a folder of their own: `node build/portal`. */
const STARTED_BY_FOLDER = ["portal", "help-desk"];

function programs(): Plugin {
  return {
    name: "programs",
    apply: "build",
    config: (_config, { isSsrBuild }) =>
      isSsrBuild === true
        ? {
            build: {
              rollupOptions: {
                input: PROGRAMS,
                output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
              },
            },
          }
        : undefined,
    writeBundle() {
      if (this.environment.name !== "ssr") return;
      for (const name of STARTED_BY_FOLDER) {
        mkdirSync(`build/${name}`, { recursive: true });
        writeFileSync(`build/${name}/index.js`, `import "../server/${name}.js";\n`);
      }
    },
  };
}

/** The parts of app/server/portal.ts that a development server uses. */
interface PortalModule {
  readonly openPortal: (build: unknown) => Promise<Listener>;
  readonly closePortal: () => Promise<void>;
}

interface Listener {
  readonly answer: (request: IncomingMessage, response: ServerResponse, serveFile: () => void) => void;
}

interface OpenPortal {
  readonly build: unknown;
  readonly portal: PortalModule;
  readonly listener: Listener;
}

/**
 * Answers requests that Vite doesn't, with the same listener as in production. After an edit it closes
 * the portal and reopens it on the same data, so that there is one backend at a time. Then the browser reloads its page.
 */
function portalInDevelopment(): Plugin {
  return {
    name: "portal-in-development",
    apply: "serve",
    configureServer: (server) => {
      const load = (module: string) => server.ssrLoadModule(module);
      const openPortal = async (before: OpenPortal | undefined): Promise<OpenPortal> => {
        const build = await load("virtual:remix/server-build");
        const portal = (await load("/app/server/portal.ts")) as PortalModule;
        if (before?.build === build && before.portal === portal) return before;
        await before?.portal.closePortal();
        return { build, portal, listener: await portal.openPortal(build) };
      };
      let last: OpenPortal | undefined;
      let opening: Promise<unknown> = Promise.resolve();
      return () => {
        server.middlewares.use((request, response, next) => {
          const opened = opening.then(async () => (last = await openPortal(last)));
          opening = opened.catch(() => undefined);
          opened.then(({ listener }) => {
            listener.answer(request, response, next);
          }, next);
        });
      };
    },
    hotUpdate: {
      order: "pre",
      handler({ modules, server }) {
        if (this.environment.name === "ssr" && modules.length > 0) server.ws.send({ type: "full-reload" });
      },
    },
  };
}

const WORKER_IN_DEVELOPMENT = "node_modules/.cache/portal/workers";

/** Builds the worker when a development server starts, where pdf-workers.server.ts looks for it. */
function workerInDevelopment(): Plugin {
  return {
    name: "worker-in-development",
    apply: "serve",
    async configureServer() {
      await buildWorker();
    },
  };
}

/** Builds the thread for PDFs for development and tests. Another process may be starting it, so it changes at once. */
export async function buildWorker(): Promise<void> {
  const draft = `${WORKER_IN_DEVELOPMENT}-${process.pid}`;
  await build({ mode: "worker", logLevel: "warn", build: { outDir: draft } });
  mkdirSync(WORKER_IN_DEVELOPMENT, { recursive: true });
  for (const file of readdirSync(draft)) renameSync(join(draft, file), join(WORKER_IN_DEVELOPMENT, file));
  rmSync(draft, { recursive: true });
}

const alias = { "~": fileURLToPath(new URL("./app", import.meta.url)) };

/** `remix vite:build` and `remix vite:dev`. */
const portal = ({ command, isSsrBuild }: ConfigEnv): UserConfig => ({
  plugins: [
    matchingLanguages(command === "serve"),
    portalInDevelopment(),
    remix({ future: FUTURE }),
    programs(),
    onlyTheScript(),
    workerInDevelopment(),
  ],
  server: {
    host: process.env["HOST"] ?? "127.0.0.1",
    port: Number(process.env["PORT"] ?? 3000),
    strictPort: true,
  },
  // The browser's script imports no packages. Looking for some, Vite would find the server's.
  optimizeDeps: { noDiscovery: true },
  ...(command === "build" && {
    ssr: { noExternal: true, external: EXTERNAL },
    // Otherwise React's development build would be bundled, too.
    define: { "process.env.NODE_ENV": '"production"' },
  }),
  resolve: { alias },
  build: {
    // All browsers with modules support these targets; older ones get the portal without scripts.
    target: isSsrBuild === true ? "node20" : OLDEST_BROWSERS,
    // The server's build makes the styles, which are inlined into its pages.
    cssTarget: OLDEST_BROWSERS,
    // What a screen loads has no imports of its own, but for the script that the page has already.
    modulePreload: false,
    // No source code and no data: URI reaches the browser (S62; img-src is 'self').
    sourcemap: false,
    assetsInlineLimit: 0,
  },
});

/** The thread for PDFs by itself, for development and tests. */
const worker: UserConfig = {
  build: {
    ssr: PDF_WORKER,
    target: "node20",
    copyPublicDir: false,
    rollupOptions: { output: { entryFileNames: "pdf.js" } },
  },
};

export default defineConfig((env) => (env.mode === "worker" ? worker : portal(env)));
