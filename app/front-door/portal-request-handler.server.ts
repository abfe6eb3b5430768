import type { ServerBuild } from "@remix-run/node";
import { createRequestHandler, type RequestHandler } from "@remix-run/server-runtime";
import { loadServerBuild } from "~/platform/lifecycle/load-server-build.server";
import { ownRoutes } from "./own-routes";
import { withoutSlash } from "./route-patterns";

const { DEV, MODE } = import.meta.env;

let handler: Promise<RequestHandler> | undefined;

/** The running app itself, as a function from request to response. */
export function portalRequestHandler(): Promise<RequestHandler> {
  handler ??= loadServerBuild().then(handlerOf);
  return handler;
}

/**
 * Remix matches an address against all routes, three times for a page. An address without parameters always matches the
 * same few, so it gets a handler that knows only those.
 */
function handlerOf(build: ServerBuild): RequestHandler {
  const whole = createRequestHandler(build, MODE);
  // A development server's routes change with each edit.
  if (DEV) return whole;
  const handlers = new Map<string, RequestHandler>();
  for (const [path, ids] of ownRoutes(build.routes))
    handlers.set(path, createRequestHandler(narrowed(build, ids), MODE));
  return (request, loadContext) => {
    const handle = handlers.get(withoutSlash(new URL(request.url).pathname)) ?? whole;
    return handle(request, loadContext);
  };
}

function narrowed(build: ServerBuild, ids: readonly string[]): ServerBuild {
  const assets = { ...build.assets, routes: only(ids, build.assets.routes) };
  return { ...build, routes: only(ids, build.routes), assets };
}

function only<Route>(ids: readonly string[], routes: Readonly<Record<string, Route>>): Record<string, Route> {
  return Object.fromEntries(Object.entries(routes).filter(([id]) => ids.includes(id)));
}
