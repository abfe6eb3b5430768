/** A route in the build's list. */
export interface ListedRoute {
  readonly path?: string | undefined;
  readonly index?: boolean | undefined;
  readonly parentId?: string | undefined;
}

interface WildcardPattern {
  readonly pattern: string;
  readonly regExp: RegExp;
}

/** The fallback route: matches whatever no other pattern does. */
const EVERYTHING = "/*";
const FILE = /\.\w{1,8}$/;

/**
 * Finds the pattern of app/routes.ts that an address matches, for metrics and the log: an address may name a person,
 * and anyone can make up any number of them.
 */
export class RoutePatterns {
  readonly #exact = new Set<string>();
  readonly #wildcards: WildcardPattern[] = [];

  /** @param routes the build's routes by id */
  constructor(routes: Readonly<Record<string, ListedRoute | undefined>>) {
    for (const route of Object.values(routes)) {
      if (!route || (route.path === undefined && route.index !== true)) continue;
      const pattern = `/${fullPath(routes, route)}`;
      if (/[:*]/.test(pattern)) this.#wildcards.push({ pattern, regExp: toRegExp(pattern) });
      else this.#exact.add(pattern);
    }
    this.#wildcards.sort((one, other) => other.pattern.length - one.pattern.length);
  }

  /** The pattern that a request target (path and query) matches. */
  of(target: string): string {
    const path = withoutSlash(target.split("?", 1)[0] ?? "");
    if (this.#exact.has(path)) return path;
    const pattern = this.#wildcards.find(({ regExp }) => regExp.test(path))?.pattern ?? EVERYTHING;
    return pattern === EVERYTHING && FILE.test(path) ? "file" : pattern;
  }
}

/** A route's pattern, without the slash before it. */
export function fullPath(
  routes: Readonly<Record<string, ListedRoute | undefined>>,
  route: ListedRoute,
): string {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return [parent && fullPath(routes, parent), route.path].filter(Boolean).join("/");
}

/** A page's path: the router ignores a slash at its end. */
export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function toRegExp(pattern: string): RegExp {
  const source = pattern.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+").replace(/\/\*$/, "(?:/.*)?");
  return new RegExp(`^${source}$`, "s");
}
