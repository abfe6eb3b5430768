import type { ServerBuild } from "@remix-run/node";

/**
 * The build that this module is a part of. It is one file, this one: asked for by its own address it is the module
 * that serves, not a second one with a second database. A development server keeps it under a name of its own.
 *
 * Not to be waited for while modules load: it is there when all of them are.
 * @throws Error when the server is not built as one file
 */
export async function loadServerBuild(): Promise<ServerBuild> {
  const build: unknown = import.meta.env.DEV
    ? await import("virtual:remix/server-build")
    : await import(/* @vite-ignore */ import.meta.url);
  if (!isServerBuild(build)) throw new Error("The server is not built as one file");
  return build;
}

function isServerBuild(module: unknown): module is ServerBuild {
  return typeof module === "object" && module !== null && "routes" in module && "entry" in module;
}
