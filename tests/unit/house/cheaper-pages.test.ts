import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { matchRoutes } from "@remix-run/router";
import { jsx } from "react/jsx-runtime";
import { decode } from "turbo-stream";
import { build, type Rollup } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import { cheaperPages } from "../../../vite.cheaper-pages";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const DATA = join(ROOT, "node_modules/@remix-run/server-runtime/dist/esm/data.js");
const ENTRY = join(ROOT, "tests/unit/house/every-changed-library.js");
/** Uses every file that the plugin changes. */
const ENTRY_CODE = `
  export { callRouteLoader } from ${JSON.stringify(DATA)};
  export { encode } from "turbo-stream";
  export { matchRoutes } from "@remix-run/router";
  export { jsx } from "react/jsx-runtime";
  export { createRequestHandler } from "@remix-run/server-runtime";
  export { RemixServer } from "@remix-run/react";
`;

/** What of the changed libraries the tests call. */
interface Changed {
  readonly callRouteLoader: (call: object) => Promise<unknown>;
  readonly encode: (data: unknown) => unknown;
  readonly matchRoutes: typeof matchRoutes;
  readonly jsx: typeof jsx;
}

/** Builds the libraries for the server, as the portal's build does. @param data the source of Remix's data.js */
async function changedLibraries(data: string): Promise<Changed> {
  const sources = new Map([
    [ENTRY, ENTRY_CODE],
    [DATA, data],
  ]);
  const { output } = (await build({
    root: ROOT,
    configFile: false,
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "sources",
        enforce: "pre",
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => sources.get(id),
      },
      cheaperPages(),
    ],
    ssr: { noExternal: true },
    build: { ssr: ENTRY, write: false, rollupOptions: { output: { inlineDynamicImports: true } } },
  })) as Rollup.RollupOutput;
  const code = Buffer.from(output[0].code).toString("base64");
  return (await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)) as Changed;
}

const SOURCE = readFileSync(DATA, "utf8");

describe("the libraries, as the build changes them", () => {
  let changed: Changed;
  beforeAll(async () => {
    changed = await changedLibraries(SOURCE);
  });

  /** The request that a loader receives. */
  const received = (request: Request) =>
    changed.callRouteLoader({
      request,
      loader: ({ request: given }: { readonly request: Request }) => given,
      params: {},
      routeId: "any",
      singleFetch: true,
    });

  it("give a loader the request itself when it has no query", async () => {
    const request = new Request("http://portal.example/cp");
    expect(await received(request)).toBe(request);
  });

  it("never show a loader the parameters that Remix adds to a query", async () => {
    const given = await received(new Request("http://portal.example/home?index&_routes=root&lang=en"));
    expect((given as Request).url).toBe("http://portal.example/home?lang=en");
  });

  it.each([{ a: { b: ["Zażółć", 1, true, undefined, null, "</script>"] } }, undefined, null, "text"])(
    "encode %j at once, so that browsers read the same again",
    async (data) => {
      const encoded = changed.encode(data);
      if (typeof encoded !== "string") throw new Error("not a text");
      const { value } = await decode(new Response(encoded).body ?? new ReadableStream());
      expect(value).toEqual(data);
    },
  );

  it("refuse data that would come later", () => {
    expect(() => changed.encode({ later: Promise.resolve(1) })).toThrow("A page's data can't be deferred");
  });

  it("match every address as before, the first time and again", () => {
    const routes = [
      {
        path: "/cp",
        children: [{ index: true }, { path: "policy/:policyNo" }, { path: "Policy/:policyNo/:document?" }],
      },
      { path: "/home/*", caseSensitive: true },
      { path: "*" },
    ];
    for (const path of [
      "/cp",
      "/cp/",
      "/cp/policy/POL-1",
      "/CP/policy/a%2Fb/x",
      "/home/a/b",
      "/HOME/a",
      "/",
    ]) {
      const before = matchRoutes(routes, path);
      expect(before).not.toBeNull();
      expect(changed.matchRoutes(routes, path)).toEqual(before);
      expect(changed.matchRoutes(routes, path)).toEqual(before);
    }
  });

  it("make the same elements as React", () => {
    const WithDefaults = Object.assign(() => null, { defaultProps: { size: 1 } });
    for (const [type, given, key] of [
      ["p", { children: "text", className: "a" }],
      ["p", { children: "text" }, "k"],
      ["p", { ref: () => undefined, id: "a" }, 1],
      [WithDefaults, { size: undefined }],
    ] as const) {
      // React for development, which runs here, adds more to its elements.
      expect({ ...jsx(type, given, key) }).toMatchObject({ ...changed.jsx(type, given, key) });
    }
  });
});

it("the build fails if a library's source is no longer what we change", async () => {
  const other = SOURCE.replace("function stripIndexParam(", "function stripIndex(");
  await expect(changedLibraries(other)).rejects.toThrow("data.js no longer has, once: ");
});
