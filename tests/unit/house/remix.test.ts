import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository, ownFiles } from "./repository";

/** What the portal uses of them, each with its counterpart in React Router 7. A new name makes the move dearer. */
const USED = {
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

/** An import, of names or of a whole module, or a declaration that adds to a module, of the packages that ended. */
const TAKEN =
  /(?:\bdeclare (module)|\bimport\s+(?:type\s+)?\{([^}]*)\}\s+from|\b(?:from|import|require))[\s(]*"((?:@remix-run\/|react-router)[^"]*)"/g;

function namesOf(isDeclared: string | undefined, list: string | undefined): readonly string[] {
  if (isDeclared) return ["declared"];
  if (list === undefined) return ["*"];
  const names = list.split(",").map((name) => name.trim().replace(/^type | as .*$/g, ""));
  return names.filter((name) => name !== "");
}

test("[S160] what is used of packages without a maintainer is this list, and no more", () => {
  const used: Record<string, Set<string>> = {};
  for (const path of ownFiles(/^(app\/.*\.tsx?|scripts\/.*\.m?js|vite\.config\.ts)$/))
    for (const [, isDeclared, list, module = ""] of readFileSync(inRepository(path), "utf8").matchAll(TAKEN))
      for (const name of namesOf(isDeclared, list)) (used[module] ??= new Set()).add(name);
  const sorted = Object.entries(used).map(([module, names]) => [module, [...names].toSorted()]);
  expect(Object.fromEntries(sorted)).toEqual(USED);
});
