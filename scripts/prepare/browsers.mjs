import { existsSync } from "node:fs";
import { run } from "./command.mjs";
import { installDebian, missingAfterInstall, onPath, PROGRAMS } from "./programs.mjs";
import { runWithProgress } from "./progress.mjs";
import { Stop } from "./stop.mjs";

/** Debian's build of Chromium without a window: a third faster than the whole browser, but without its settings. */
const HEADLESS_SHELL = "chromium-headless-shell";
const CHROMIUM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Where Debian and its relatives put the faces of fonts-liberation. */
const LIBERATION = "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf";
const CHROMIUM_ELSEWHERE = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Finds the fastest Chromium that runs, and a whole one, or installs them.
 * @returns {Promise<{ fastest: string, whole: string }>} absolute paths of their executables
 */
export async function requireChromiums() {
  const found = await requireChromium();
  if (process.env.CHROMIUM_PATH) return { fastest: found, whole: (await findWholeChromium()) ?? found };
  const findShell = () => firstThatRuns(onPath(HEADLESS_SHELL));
  if (!(await findShell())) await installDebian(HEADLESS_SHELL);
  return { fastest: (await findShell()) ?? found, whole: found };
}

/**
 * Finds a whole Chromium that runs, or installs one; CHROMIUM_PATH may choose another.
 * @returns {Promise<string>} absolute path of its executable
 */
export async function requireChromium() {
  await requireFaces();
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (await runs(chosen)) return chosen;
    throw new Stop(`CHROMIUM_PATH=${chosen} is not a working browser.`);
  }
  for (const obtain of [undefined, installChromium, downloadChromium]) {
    await obtain?.();
    const found = await findWholeChromium();
    if (found) return found;
  }
  throw new Stop("No browser for the tests: install Chromium or Chrome, or set CHROMIUM_PATH to one.");
}

const installChromium = () => installDebian("chromium");

/**
 * Arial's stand-in, which Debian only recommends to its browsers: without it pages look like on no customer's machine. A
 * browser that was there already may have come without it.
 */
async function requireFaces() {
  if (!existsSync(LIBERATION)) await installDebian("fonts-liberation");
}

async function findWholeChromium() {
  const { chromium } = await import("@playwright/test");
  return firstThatRuns([...CHROMIUM_NAMES.flatMap(onPath), ...CHROMIUM_ELSEWHERE, chromium.executablePath()]);
}

/**
 * Finds or installs Firefox, WebKitGTK's driver, and the virtual screen that the driver needs.
 * @returns {Promise<{ env: NodeJS.ProcessEnv, missing: readonly string[] }>} their paths, and the names of missing
 *   programs
 */
export async function findOtherBrowsers() {
  const firefox = () => firstThatRuns(["firefox-esr", "firefox"].flatMap(onPath));
  if (!(await firefox())) await installDebian("firefox-esr");
  const found = await firefox();
  const missing = await missingAfterInstall(PROGRAMS.webKit.packages);
  const webKit = missing.length === 0 ? onPath("WebKitWebDriver")[0] : "";
  return {
    env: { FIREFOX_PATH: found ?? "", WEBKIT_DRIVER_PATH: webKit },
    missing: found ? missing : ["firefox-esr", ...missing],
  };
}

async function downloadChromium() {
  const args = ["node_modules/@playwright/test/cli.js", "install", "chromium"];
  await runWithProgress("Downloading a browser for the tests (Playwright)", process.execPath, args);
}

async function firstThatRuns(paths) {
  for (const path of paths) if (existsSync(path) && (await runs(path))) return path;
  return undefined;
}

/** Ubuntu's `chromium-browser` may be a stub that only points to a snap, so the file alone proves nothing. */
const runs = async (path) => (await run(path, ["--version"], { capture: true })).code === 0;
