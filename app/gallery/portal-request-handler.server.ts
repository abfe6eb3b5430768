import { createRequestHandler, type RequestHandler } from "@remix-run/node";
import { loadServerBuild } from "~/platform/lifecycle/load-server-build.server";

let handler: Promise<RequestHandler> | undefined;

/** The app that this is a part of, as a function from a request to its answer. */
export function portalRequestHandler(): Promise<RequestHandler> {
  handler ??= loadServerBuild().then((build) => createRequestHandler(build, import.meta.env.MODE));
  return handler;
}
