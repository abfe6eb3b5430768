import { createRequestHandler, type RequestHandler, type ServerBuild } from "@remix-run/node";

let handler: Promise<RequestHandler> | undefined;

/** The app that this is a part of, as a function from a request to its answer. */
export function ownApp(): Promise<RequestHandler> {
  handler ??= load().then((build) => createRequestHandler(build, import.meta.env.MODE));
  return handler;
}

/**
 * The build is one file, this one: asked for by its own address it is the module that serves, not a second one with a
 * second database. A development server keeps it under a name of its own.
 */
async function load(): Promise<ServerBuild> {
  const build: unknown = import.meta.env.DEV
    ? await import("virtual:remix/server-build")
    : await import(/* @vite-ignore */ import.meta.url);
  if (!isServerBuild(build)) throw new Error("The server is not built as one file");
  return build;
}

function isServerBuild(module: unknown): module is ServerBuild {
  return typeof module === "object" && module !== null && "routes" in module && "entry" in module;
}
