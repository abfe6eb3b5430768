import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Rollup } from "vite";
import { expect, test } from "vitest";
import { withoutCopiedRequests } from "../../../vite.uncopied-requests";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const DATA = join(ROOT, "node_modules/@remix-run/server-runtime/dist/esm/data.js");

type CallLoader = (call: object) => Promise<unknown>;

/** Builds Remix's file for the server, from this source, and returns its function that calls a loader. */
async function callerOf(source: string): Promise<CallLoader> {
  const { output } = (await build({
    root: ROOT,
    configFile: false,
    logLevel: "silent",
    plugins: [
      { name: "source", enforce: "pre", load: (id) => (id === DATA ? source : undefined) },
      withoutCopiedRequests(),
    ],
    ssr: { noExternal: true },
    build: { ssr: DATA, write: false },
  })) as Rollup.RollupOutput;
  const code = Buffer.from(output[0].code).toString("base64");
  const { callRouteLoader } = (await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)) as {
    callRouteLoader: CallLoader;
  };
  return callRouteLoader;
}

const SOURCE = readFileSync(DATA, "utf8");

/** The request that a loader receives. */
async function received(request: Request): Promise<unknown> {
  const callLoader = await callerOf(SOURCE);
  return callLoader({
    request,
    loader: ({ request: given }: { readonly request: Request }) => given,
    params: {},
    routeId: "any",
    singleFetch: true,
  });
}

test("a loader receives the request itself when it has no query", async () => {
  const request = new Request("http://portal.example/cp");
  expect(await received(request)).toBe(request);
});

test("a loader never sees the parameters that Remix adds to a query", async () => {
  const given = await received(new Request("http://portal.example/home?index&_routes=root&lang=en"));
  expect((given as Request).url).toBe("http://portal.example/home?lang=en");
});

test("the build fails if Remix's source is no longer what we change", async () => {
  await expect(callerOf(SOURCE.replace("function stripIndexParam(", "function stripIndex("))).rejects.toThrow(
    "data.js no longer has, once: ",
  );
});
