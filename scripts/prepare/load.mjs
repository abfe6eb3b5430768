import { inProject } from "./project.mjs";

/**
 * Loads a TypeScript file of this repository. It isn't bundled: what it reads beside itself is where its sources are.
 * @param {string} file
 */
export async function load(file) {
  const { runnerImport } = await import("vite");
  const { module } = await runnerImport(inProject(file), {
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "~": inProject("app") } },
  });
  return module;
}
