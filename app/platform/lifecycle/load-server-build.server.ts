import type { ServerBuild } from "@remix-run/node";

/**
 * The build that this module is part of. The build is one file, so importing its own URL returns the module that is
 * already serving, not a second one with a second database. A development server has the build under a name of its own.
 *
 * Don't await it while modules load: it resolves only once they all have.
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
