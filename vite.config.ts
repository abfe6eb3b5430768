import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Plugin } from "vite";
import { localeFaults, readEveryFolder } from "./app/i18n/locale-faults.server";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

const OLDEST_BROWSERS = ["chrome70", "safari12", "firefox78"];

/** What only the screens behind the start page need. */
const FLOWS =
  /\/app\/(journeys\/(kit\/(code-screen|start-screen|new-password|password-checklist)|document-password\/document-password-screen|customer-area\/profile-parts)|enhancements\/(code-entry|code-from-message|throttle|live-checklist|copy-button|session-warning|session-clock)|ui\/(checklist|step-indicator|switch-field|policy-card|fact-list|section|customer-page|bullet-list))/;

/** The pictures of screens that are not the first. */
const PICTURES = /\/app\/ui\/illustrations\/of-screens/;

/** A few shared files beside one for each screen: a first visit makes few requests, a second screen one or two. */
function chunkOf(id: string): string | undefined {
  if (/node_modules\//.test(id) || id.startsWith("\0")) return "framework";
  if (PICTURES.test(id)) return undefined;
  if (FLOWS.test(id)) return "flows";
  if (/\/app\/(forms|ui|shell|enhancements|journeys\/kit)\//.test(id)) return "ui";
  return undefined;
}

/** A text that one language has and the other lacks ends the build. */
function matchingLanguages(): Plugin {
  const root = fileURLToPath(new URL(".", import.meta.url));
  return {
    name: "matching-languages",
    buildStart() {
      const faults = localeFaults(readEveryFolder(root));
      // Without a stack: where this is said doesn't help who forgot a text.
      if (faults.length > 0) throw Object.assign(new Error("texts"), { stack: faults.join("\n") });
    },
  };
}

/** Leaves each of the browser's scripts there packed as well, as small as brotli makes it. */
function packedScripts(): Plugin {
  const assets = fileURLToPath(new URL("./build/client/assets", import.meta.url));
  return {
    name: "packed-scripts",
    apply: "build",
    writeBundle() {
      // The server's build comes last, and writes the list of routes among the browser's scripts.
      if (this.environment.name !== "ssr") return;
      for (const name of readdirSync(assets).filter((file) => file.endsWith(".js"))) {
        const code = readFileSync(join(assets, name));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: code.length };
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(code, { params }));
      }
    },
  };
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    matchingLanguages(),
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_singleFetch: true,
        // Discovery would match every ancestor of an address that anybody makes up (S104); our few routes travel at once.
        v3_lazyRouteDiscovery: false,
        v3_routeConfig: true,
      },
    }),
    packedScripts(),
  ],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  build: {
    // Whatever has modules has these; older browsers get the product without scripts.
    target: isSsrBuild ? "node20" : OLDEST_BROWSERS,
    // The server's build makes the styles: they are inlined into its pages.
    cssTarget: OLDEST_BROWSERS,
    // No source of ours and no data: URI reaches the browser (S62; img-src is 'self').
    sourcemap: false,
    ...(!isSsrBuild && { minify: "terser" as const }),
    assetsInlineLimit: 0,
    ...(!isSsrBuild && { rollupOptions: { output: { manualChunks: chunkOf } } }),
  },
}));
