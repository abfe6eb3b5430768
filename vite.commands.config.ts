import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { EXTERNAL } from "./vite.external";

const COMMANDS = "app/backend/commands";

/** The operators' commands, for a Node that has the production's packages and no TypeScript. */
export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  ssr: { noExternal: true, external: EXTERNAL },
  build: {
    ssr: true,
    target: "node20",
    outDir: "build",
    emptyOutDir: false,
    copyPublicDir: false,
    rollupOptions: {
      input: {
        "portal/index": `${COMMANDS}/index.server.ts`,
        "commands/index": `${COMMANDS}/earlier-name.server.ts`,
      },
      output: { entryFileNames: "[name].js", chunkFileNames: "portal/[name].js" },
    },
  },
});
