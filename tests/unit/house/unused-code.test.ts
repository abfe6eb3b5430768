import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";
import { withoutUnusedCode } from "../../../vite.unused-code";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const ROUTES = join(ROOT, "node_modules/@remix-run/react/dist/esm/routes.js");
const FLAGS = { v3_singleFetch: true, v3_lazyRouteDiscovery: false };

/** Builds a script from one file, which holds `source`, and from those of its imports that match `bundled`. */
async function buildOf(file: string, source: string, bundled = /^$/): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "silent",
    plugins: [
      { name: "source", enforce: "pre", load: (id) => (id === file ? source : undefined) },
      withoutUnusedCode(FLAGS),
    ],
    build: {
      write: false,
      minify: false,
      rollupOptions: {
        input: file,
        preserveEntrySignatures: "strict",
        external: (id, importer) => importer !== undefined && !bundled.test(id),
      },
    },
  });
}

test("the build fails if Remix's source is no longer what we cut from", async () => {
  const source = readFileSync(ROUTES, "utf8");
  await expect(
    buildOf(ROUTES, source.replace("fetchServerHandler(request", "fetchFromServer(request")),
  ).rejects.toThrow("routes.js no longer has, once: ");
});

test("the build fails if a file that we cut from is no longer used", async () => {
  await expect(buildOf(ROUTES, readFileSync(ROUTES, "utf8"))).rejects.toThrow("The build no longer has");
});

test("the build fails if a route exports what needs a cut piece", async () => {
  await expect(buildOf(join(ROOT, "app/root.tsx"), "export const clientLoader = 1;")).rejects.toThrow(
    "cut out what this needs: clientLoader",
  );
});

test("the build fails if our code uses what needs a cut piece", async () => {
  const source = 'export { useFetcher } from "react-router-dom";';
  await expect(buildOf(join(ROOT, "app/root.tsx"), source, /react-router/)).rejects.toThrow(
    "cut out what this needs: useFetcher",
  );
});

test.each([{ v3_singleFetch: false }, { v3_lazyRouteDiscovery: true }])(
  "the build fails with the flag %o, which needs what we cut out",
  (flag) => {
    expect(() => withoutUnusedCode({ ...FLAGS, ...flag })).toThrow("cuts out what these flags");
  },
);
