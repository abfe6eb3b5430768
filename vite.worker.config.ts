import { fileURLToPath } from "node:url";
import { build, defineConfig, type InlineConfig, type Plugin } from "vite";

const forWorkers = (outDir: string) =>
  ({
    build: {
      ssr: "app/backend/documents/pdf-worker.ts",
      target: "node20",
      outDir,
      copyPublicDir: false,
      rollupOptions: { output: { entryFileNames: "pdf.js" } },
    },
  }) satisfies InlineConfig;

/** The threads beside the server's, which load packages that the server itself doesn't need. */
export default defineConfig(forWorkers("build/workers"));

/** Makes the workers for development and tests, when they start, where pdf-workers.server.ts looks for them. */
export function workersInDevelopment(): Plugin {
  const root = fileURLToPath(new URL(".", import.meta.url));
  const config = forWorkers("node_modules/.cache/portal/workers");
  return {
    name: "workers-in-development",
    apply: "serve",
    async configureServer() {
      await build({ ...config, root, configFile: false, logLevel: "warn", mode: "development" });
    },
  };
}
