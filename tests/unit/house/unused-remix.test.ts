import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";
import { withoutUnusedRemix } from "../../../vite.unused-remix";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const ROUTES = join(ROOT, "node_modules/@remix-run/react/dist/esm/routes.js");
const FLAGS = { v3_singleFetch: true, v3_lazyRouteDiscovery: false };

/** Builds a script that is one file; `source` is what stands in it. */
async function buildOf(file: string, source: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "silent",
    plugins: [
      { name: "source", enforce: "pre", load: (id) => (id === file ? source : undefined) },
      withoutUnusedRemix(FLAGS),
    ],
    build: {
      write: false,
      minify: false,
      rollupOptions: { input: file, external: (_id, importer) => importer !== undefined },
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
  await expect(buildOf(ROUTES, readFileSync(ROUTES, "utf8"))).rejects.toThrow("Remix no longer has");
});

test.each([{ v3_singleFetch: false }, { v3_lazyRouteDiscovery: true }])(
  "%o needs what we cut out",
  (flag) => {
    expect(() => withoutUnusedRemix({ ...FLAGS, ...flag })).toThrow("cuts out what these flags");
  },
);
