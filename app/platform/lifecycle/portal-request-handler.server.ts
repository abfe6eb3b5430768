import { createRequestHandler, type RequestHandler } from "@remix-run/node";
import { loadServerBuild } from "./load-server-build.server";

let handler: Promise<RequestHandler> | undefined;

/** The running app itself, as a function from request to response. */
export function portalRequestHandler(): Promise<RequestHandler> {
  handler ??= loadServerBuild().then((build) => createRequestHandler(build, import.meta.env.MODE));
  return handler;
}
