import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it, test } from "vitest";
import { brokenLintRules } from "./planted-lint";
import { inRepository, ownFiles } from "./repository";

/** Each file has one fault: its place, its code, and the rule that refuses it. */
const PLANTED: readonly (readonly [path: string, code: string, rule: string])[] = [
  ["app/ui/equal.ts", "export const same = (one: unknown) => one == 1;", "eqeqeq"],
  ["app/ui/unfinished.ts", "// TODO later\nexport {};", "no-warning-comments"],
  ["app/ui/long.ts", "export {};\n".repeat(401), "max-lines"],
  ["app/ui/environment.ts", "export const home = process.env;", "no-process-env"],
  ["app/ui/imported.ts", 'import { env } from "node:process";\nexport { env };', "no-restricted-imports"],
  ["app/ui/console.ts", 'console.log("");', "no-console"],
  ["app/ui/style.tsx", "export const box = <p style={{}} />;", "no-restricted-syntax"],
  ["app/ui/picture.tsx", 'export const picture = <img src="/a.png" />;', "alt-text"],
  ["app/ui/any.ts", "export const one: any = 1;", "no-explicit-any"],
  ["app/ui/sure.ts", "export const first = (list?: string) => list!.length;", "no-non-null-assertion"],
  ["app/ui/late.ts", "export const late = (work: Promise<void>) => { work; };", "no-floating-promises"],
  [
    "app/ui/hook.tsx",
    'import { useId } from "react";\nexport const Box = () => { if (Math.random() > 1) useId(); return null; };',
    "rules-of-hooks",
  ],
  [
    "app/ui/kind.ts",
    'export function size(kind: "s" | "l"): number { switch (kind) { case "s": return 1; } return 2; }',
    "switch-exhaustiveness-check",
  ],
  ["scripts/global.mjs", "window.close();", "no-undef"],
  ["scripts/unused.mjs", "const one = 1;", "no-unused-vars"],
  ["tests/half.test.ts", "test.only();", "no-restricted-properties"],
  ["tests/typed.ts", "export const late = (work: Promise<void>) => { work; };", "no-floating-promises"],
  ["tools/typed.ts", "export const one = (text: any) => text.length as number;", "no-unsafe-member-access"],
  // A comment switches nothing off, since the next test refuses it; ESLint's has no effect anyway.
  ["app/ui/off.ts", "// eslint-disable-next-line\nexport const one: any = 1;", "no-explicit-any"],
  ...[
    'import { UNSAFE_convertRoutesToDataRoutes } from "@remix-run/router";',
    'import { something } from "kysely/dist/esm/driver/connection-mutex.js";',
    "Response.prototype.json = () => undefined;",
    "Kysely.prototype = {};",
    "globalThis.contexts = new WeakMap();",
    "const home = globalThis as { contexts?: object };",
    "Error.stackTraceLimit = 0;",
    "response.writeHead = () => response;",
    "socket.destroySoon = () => undefined;",
    "Object.setPrototypeOf(response, mine);",
    'server.removeAllListeners("request");',
    'import { subscribe } from "node:diagnostics_channel";',
  ].map((code, index) => [`app/server/library-${index}.ts`, code, "no-restricted-syntax"] as const),
];

/** Nothing is wrong with these. */
const FINE: readonly (readonly [path: string, code: string])[] = [
  [
    "app/server/fine.ts",
    `import { createRequest } from "@remix-run/node-fetch-server";
    import { jsx } from "react/jsx-runtime";
    NetServer.prototype.close.call(this);
    const { origin } = globalThis.location;`,
  ],
  ["app/platform/environment.ts", "export const home = process.env;"],
  ["tests/environment.ts", "export const home = process.env;"],
];

let broken: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  broken = await brokenLintRules([...PLANTED.map(([path, code]) => [path, code] as const), ...FINE]);
});

describe("lint", () => {
  it.each(PLANTED)("refuses what %s has", (path, _code, rule) => {
    expect(broken.get(path)).toContain(rule);
  });

  it("takes a library as it is, and the environment where it is read", () => {
    for (const [path] of FINE)
      expect(broken.get(path) ?? []).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^no-(restricted-syntax|process-env)$/)]),
      );
  });
});

/** `@ts-expect-error` with a reason may stay: it is an error itself once it isn't needed. */
const SWITCH = /(oxlint|eslint)-(disable|enable)|@ts-(ignore|nocheck)|(oxfmt|prettier)-ignore/;
const MAY_NAME_THEM = [".oxlintrc.json", "tests/unit/house/lint.test.ts"];

test("no comment switches a rule, a type or the format off", async () => {
  const naming: string[] = [];
  for (const path of ownFiles(/\.([cm]?[jt]sx?|json|md|css|ya?ml)$/))
    if (SWITCH.test(await readFile(inRepository(path), "utf8"))) naming.push(path);
  expect(naming.filter((path) => !MAY_NAME_THEM.includes(path))).toEqual([]);
});
