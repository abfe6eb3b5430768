import { join } from "node:path";
import { isBuilt } from "../scripts/prepare/build.mjs";

let isSaid = false;

/** The path of a built file, from the repository. Says once if the build is older than the code: it is what runs. */
export function built(...path: readonly string[]): string {
  if (!isSaid && !isBuilt()) {
    isSaid = true;
    // Not by the console, which tests watch.
    process.stderr.write(
      "\n⚠ build/ is older than the code that these tests are about: run npm run build first.\n",
    );
  }
  return join("build", ...path);
}
