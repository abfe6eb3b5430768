import { createRequestHandler, type RequestHandler } from "@remix-run/node";
import { ownBuild } from "~/platform/own-build.server";

let handler: Promise<RequestHandler> | undefined;

/** The app that this is a part of, as a function from a request to its answer. */
export function ownApp(): Promise<RequestHandler> {
  handler ??= ownBuild().then((build) => createRequestHandler(build, import.meta.env.MODE));
  return handler;
}
