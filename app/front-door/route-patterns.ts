/** A route as the build lists it. */
export interface ListedRoute {
  readonly path?: string | undefined;
  readonly index?: boolean | undefined;
  readonly parentId?: string | undefined;
}

interface OpenPattern {
  readonly pattern: string;
  readonly takes: RegExp;
}

/** What takes all that no other pattern does. */
const EVERYTHING = "/*";
const FILE = /\.\w{1,8}$/;

/**
 * Which pattern of app/routes.ts an address falls under. For metrics and the log: an address may name a person, and
 * there are as many addresses as somebody likes to make up.
 */
export class RoutePatterns {
  readonly #closed = new Set<string>();
  readonly #open: OpenPattern[] = [];

  /** The patterns of these routes, by their id. */
  constructor(routes: Readonly<Record<string, ListedRoute | undefined>>) {
    for (const route of Object.values(routes)) {
      if (!route || (route.path === undefined && route.index !== true)) continue;
      const pattern = `/${wholePath(routes, route)}`;
      if (/[:*]/.test(pattern)) this.#open.push({ pattern, takes: takes(pattern) });
      else this.#closed.add(pattern);
    }
    this.#open.sort((one, other) => other.pattern.length - one.pattern.length);
  }

  /** The pattern of a request's target: path and query. A page and its data have the same. */
  of(target: string): string {
    const path = pageOf(target.split("?", 1)[0] ?? "");
    if (this.#closed.has(path)) return path;
    const pattern = this.#open.find((open) => open.takes.test(path))?.pattern ?? EVERYTHING;
    return pattern === EVERYTHING && FILE.test(path) ? "file" : pattern;
  }
}

function wholePath(routes: Readonly<Record<string, ListedRoute | undefined>>, route: ListedRoute): string {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return [parent && wholePath(routes, parent), route.path].filter(Boolean).join("/");
}

/** Remix asks for a page's data under its address and `.data`. */
function pageOf(path: string): string {
  if (path === "/_root.data") return "/";
  const page = path.endsWith(".data") ? path.slice(0, -".data".length) : path;
  return page.length > 1 && page.endsWith("/") ? page.slice(0, -1) : page;
}

function takes(pattern: string): RegExp {
  const source = pattern.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+").replace(/\/\*$/, "(?:/.*)?");
  return new RegExp(`^${source}$`, "s");
}
