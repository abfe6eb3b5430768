import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, type AnyNode } from "acorn";
import { full } from "acorn-walk";
import { describe, expect, test } from "vitest";

const CLIENT = fileURLToPath(new URL("../../build/client", import.meta.url));
const ASSETS = join(CLIENT, "assets");
const files = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));

/** Of ECMAScript 2020, all browsers with modules know dynamic import; Chrome 70 and Safari 12 don't know the rest. */
const TOO_NEW = 2020;

describe("the served scripts parse in Chrome 70, Safari 12 and Firefox 78", () => {
  test.each(files)("%s", (name) => {
    expect(tooNew(readFileSync(join(ASSETS, name), "utf8"))).toEqual([]);
  });
});

/** The files sent to browsers besides pages, with # for a hash. */
const SENT = [
  "apple-touch-icon.png",
  "assets/bricolage-grotesque-700-#.woff2",
  "assets/entry.client-#.js",
  // For screens with passkeys: a reader of WebAuthn's JSON where the browser has none, and the request for a passkey.
  "assets/esm-#.js",
  "assets/passkey-device-#.js",
  // For screens of a session.
  "assets/session-warning-#.js",
  "assets/weak-password-#.js",
  "documents/polityka-cookies.pdf",
  "documents/regulamin-portalu.pdf",
  "favicon.ico",
  "favicon.svg",
  "robots.txt",
];

test("[S87] the build for browsers has one script, what few screens load, and nothing that no page names", () => {
  const built = readdirSync(CLIENT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(CLIENT, join(parentPath, name)));
  expect(built.map((path) => path.replace(/-[\w-]{8}(?=\.\w+$)/, "-#")).toSorted()).toEqual(SENT);
});

test.each(["react", "remix", "router", "conform", "jsx", "hydrate"])(
  "no script of ours has anything of %s",
  (library) => {
    for (const name of files)
      expect(readFileSync(join(ASSETS, name), "utf8").toLowerCase(), name).not.toContain(library);
  },
);

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
