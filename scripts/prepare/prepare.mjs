import { build, isBuilt } from "./build.mjs";
import { install, isInstalled } from "./install.mjs";
import { oneAtATime } from "./one-at-a-time.mjs";

/** Installs the packages when they are missing or not those of the lock file. */
export async function prepareInstall() {
  if (isInstalled()) return;
  await oneAtATime(async () => {
    if (!isInstalled()) await install();
  });
}

/** Installs, and builds when the build is missing or not of these sources. Nothing to do costs a few ms. */
export async function prepare() {
  await prepareInstall();
  if (isBuilt()) return;
  await oneAtATime(async () => {
    if (!isBuilt()) await build();
  });
}
