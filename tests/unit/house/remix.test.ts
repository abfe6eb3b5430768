import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { inRepository } from "./repository";

/** The packages that have had no maintainer since June 2026 (docs/decisions/react-router-7.md), and Remix's others. */
const ENDED = /^(@remix-run\/|react-router)/;

/** What the portal uses of them, each with its counterpart in React Router 7. A new name makes the move dearer. */
const APP = {
  "@remix-run/dev": ["vitePlugin"],
  "@remix-run/node": [
    "ActionFunctionArgs",
    "AppLoadContext",
    "EntryContext",
    "LoaderFunctionArgs",
    "RequestHandler",
    "ServerBuild",
    "TypedResponse",
    "createRequestHandler",
    "data",
    "declared",
    "redirect",
  ],
  "@remix-run/node-fetch-server": ["createRequest", "sendResponse"],
  "@remix-run/react": [
    "Outlet",
    "RemixServer",
    "isRouteErrorResponse",
    "useActionData",
    "useLoaderData",
    "useLocation",
    "useMatches",
    "useRouteError",
    "useRouteLoaderData",
  ],
  "@remix-run/route-config": ["RouteConfig", "index", "layout", "prefix", "route"],
  "@remix-run/serve/dist/cli.js": ["*"],
  "react-router-dom": ["Form", "Link"],
};

/** What tests use: one renders without a build, and the bench has a page to compare. */
const TESTS = {
  "@remix-run/dev": ["vitePlugin"],
  "@remix-run/node": [
    "AppLoadContext",
    "EntryContext",
    "ServerBuild",
    "createReadableStreamFromReadable",
    "createRequestHandler",
  ],
  "@remix-run/node-fetch-server": ["createRequest", "sendResponse"],
  "@remix-run/react": ["Form", "Outlet", "RemixServer", "Scripts"],
  "react-router-dom/server.js": ["StaticRouter"],
};

/** The names that a source takes of the packages that ended: `*` for a whole module, `declared` for a type added to one. */
function takenBy(path: string, text: string): readonly (readonly [module: string, name: string])[] {
  const taken: [string, string][] = [];
  const take = (specifier: ts.Node | undefined, names: readonly string[]) => {
    if (specifier && ts.isStringLiteral(specifier) && ENDED.test(specifier.text))
      taken.push(...names.map((name): [string, string] => [specifier.text, name]));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) take(node.moduleSpecifier, namesOf(node.importClause));
    else if (ts.isExportDeclaration(node)) take(node.moduleSpecifier, ["*"]);
    else if (ts.isModuleDeclaration(node)) take(node.name, ["declared"]);
    else if (ts.isCallExpression(node) && isImport(node)) take(node.arguments[0], ["*"]);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      take(node.argument.literal, ["*"]);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return taken;
}

function namesOf(clause: ts.ImportClause | undefined): readonly string[] {
  const bindings = clause?.namedBindings;
  if (!bindings || clause.name) return ["*"];
  if (ts.isNamespaceImport(bindings)) return ["*"];
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

/** `import()`, `require()`, and a mock of a test's. */
function isImport({ expression }: ts.CallExpression): boolean {
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(expression)) return expression.text === "require";
  return (
    ts.isPropertyAccessExpression(expression) && /^(mock|doMock|importActual)$/.test(expression.name.text)
  );
}

function takenIn(...places: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const taken = new Map<string, Set<string>>();
  for (const path of places.flatMap(sourcesIn))
    for (const [module, name] of takenBy(path, readFileSync(inRepository(path), "utf8")))
      taken.set(module, (taken.get(module) ?? new Set()).add(name));
  return Object.fromEntries([...taken].map(([module, names]) => [module, [...names].toSorted()]));
}

function sourcesIn(place: string): readonly string[] {
  if (/\.m?[jt]s$/.test(place)) return [place];
  return readdirSync(inRepository(place), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(tsx?|m?js)$/.test(path) && !path.includes("node_modules"))
    .map((path) => `${place}/${path}`);
}

describe("[S160] what is used of packages without a maintainer is this list, and no more", () => {
  test("in the portal, its build and its scripts", () => {
    expect(takenIn("app", "scripts", "vite.config.ts")).toEqual(APP);
  });

  test("in the tests and tools", () => {
    expect(takenIn("tests", "tools")).toEqual(TESTS);
  });
});
