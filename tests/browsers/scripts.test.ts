import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, type AnyNode } from "acorn";
import { full } from "acorn-walk";
import { describe, expect, test } from "vitest";

const ASSETS = fileURLToPath(new URL("../../build/client/assets", import.meta.url));
const files = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));

/** Of ECMAScript 2020, all browsers with modules know dynamic import; Chrome 70 and Safari 12 don't know the rest. */
const TOO_NEW = 2020;

describe("the served scripts parse in Chrome 70, Safari 12 and Firefox 78", () => {
  test("there are scripts to check", () => {
    expect(files.length).toBeGreaterThan(10);
  });

  test.each(files)("%s", (name) => {
    expect(tooNew(readFileSync(join(ASSETS, name), "utf8"))).toEqual([]);
  });
});

test.each([
  ["lazy route discovery", "remix-manifest-version"],
  ["Remix's links and forms", "data-discover"],
  ["what only renders Remix's scripts", "__remixContext.r("],
  ["the router's fetchers", "router.fetch() was called"],
  ["the router's restored scroll positions", "enableScrollRestoration"],
])("no served script has %s", (_part, code) => {
  expect(files.filter((name) => readFileSync(join(ASSETS, name), "utf8").includes(code))).toEqual([]);
});

test.each([
  ["a?.b", "?."],
  ["a ?? b", "??"],
  ["a = 1n", "BigInt"],
  ["/(?<=a)b/", "lookbehind"],
  ["export * as a from 'b'", "export * as"],
])("%s would be found", (source, name) => {
  expect(tooNew(source)).toEqual([name]);
});

test.each(["a ||= b", "class A { #b = 1 }", "class A { b = 1 }", "await a", "1_000"])(
  "%s would be found",
  (source) => {
    expect(() => tooNew(source)).toThrow(SyntaxError);
  },
);

/** The syntax in a module that the claimed browsers do not know. Throws a SyntaxError for newer syntax still. */
function tooNew(source: string): readonly string[] {
  const found: string[] = [];
  full(parse(source, { ecmaVersion: TOO_NEW, sourceType: "module" }), (node) => {
    const name = nameOfTooNew(node);
    if (name !== undefined) found.push(name);
  });
  return found;
}

function nameOfTooNew(node: AnyNode): string | undefined {
  if (node.type === "ChainExpression") return "?.";
  if (node.type === "LogicalExpression" && node.operator === "??") return "??";
  if (node.type === "Literal" && node.bigint) return "BigInt";
  if (node.type === "Literal" && /\(\?<[=!]/.test(node.regex?.pattern ?? "")) return "lookbehind";
  if (node.type === "ExportAllDeclaration" && node.exported) return "export * as";
  return undefined;
}
