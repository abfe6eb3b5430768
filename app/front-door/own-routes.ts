import { matchRoutes } from "@remix-run/react";
import { fullPath, type ListedRoute } from "./route-patterns";

/** The build's routes by id. */
type Routes = Readonly<Record<string, ListedRoute | undefined>>;

/** A route as the router expects it. */
type Branch = { readonly id: string; readonly path: string } & (
  | { readonly index: true }
  | { readonly index: false; readonly children: Branch[] }
);

/** The ids of the matching routes, from the root, for each address without parameters. */
export function ownRoutes(routes: Routes): ReadonlyMap<string, readonly string[]> {
  const tree = childrenOf(undefined, routes);
  const own = new Map<string, readonly string[]>();
  for (const route of Object.values(routes)) {
    const path = route && `/${fullPath(routes, route)}`;
    if (path === undefined || /[:*]/.test(path)) continue;
    const matches = matchRoutes(tree, path) ?? [];
    own.set(
      path,
      matches.map(({ route: { id } }) => id),
    );
  }
  return own;
}

function childrenOf(parentId: string | undefined, routes: Routes): Branch[] {
  return Object.entries(routes).flatMap(([id, route]) => {
    if (!route || route.parentId !== parentId) return [];
    const { path = "", index = false } = route;
    return [index ? { id, path, index } : { id, path, index, children: childrenOf(id, routes) }];
  });
}
