import { readdirSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Plugin } from "vite";
import { localeFaults, readEveryFolder } from "./app/i18n/locale-faults.server";
import { EXTERNAL } from "./vite.external";
import { cheaperPages } from "./vite.cheaper-pages";
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

/**
 * Leaves the browser's script alone in the client build (docs/decisions/no-hydration.md). Remix builds each route for
 * hydration, too, and lists them in a manifest.
 */
function onlyTheScript(): Plugin {
  const assets = fileURLToPath(new URL("./build/client/assets", import.meta.url));
  const isScript = (id: string | null) => id?.endsWith("/app/entry.client.ts") === true;
  return {
    name: "only-the-script",
    apply: "build",
    enforce: "post",
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
    remix({ future: FUTURE }),
    onlyTheScript(),
    cheaperPages(),
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
    assetsInlineLimit: 0,
  },
}));
