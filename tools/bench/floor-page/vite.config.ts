import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";

/** The floor page: Remix as the portal has it (the same flags), and nothing of ours. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Otherwise Vite would find the portal's own Tailwind.
  css: { postcss: {} },
  plugins: [
    remix({
      buildDirectory: fileURLToPath(new URL("../../../.cache/bench/floor-page", import.meta.url)),
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_singleFetch: true,
        v3_lazyRouteDiscovery: false,
      },
    }),
  ],
});
