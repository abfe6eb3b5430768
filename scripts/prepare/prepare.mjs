import { build, isBuilt } from "./build.mjs";
import { install, isInstalled } from "./install.mjs";
import { oneAtATime } from "./one-at-a-time.mjs";

/** Installs the packages unless they match the lock file already. */
export async function prepareInstall() {
  if (isInstalled()) return;
  await oneAtATime(async () => {
    if (!isInstalled()) await install();
  });
}

/** Installs, and builds unless the build is up to date. Takes a few ms when there is nothing to do. */
export async function prepare() {
  await prepareInstall();
  if (isBuilt()) return;
  await oneAtATime(async () => {
    if (!isBuilt()) await build();
  });
}
