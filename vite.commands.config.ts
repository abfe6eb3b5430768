import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The operators' commands, for a Node that has the production's packages and no TypeScript. */
export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  build: {
    ssr: "app/backend/commands/index.server.ts",
    target: "node20",
    outDir: "build/commands",
    copyPublicDir: false,
    rollupOptions: { output: { entryFileNames: "index.js" } },
  },
});
