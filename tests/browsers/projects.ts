import { existsSync } from "node:fs";
import { wholeChromium } from "./chromium";
import type { BrowserChoice } from "./fixtures";
import type { ManagerChoice } from "../release/browsers/managers/fixtures";
import { WITH_RELEASE } from "../release-run";

/** Tests of the values that a browser's own password manager fills in, in Firefox and Chromium. */
const FILLED_IN = "password-managers.spec.ts";
/** Tests of the sign-in that it offers to save, which only Firefox lets us read. */
const SAVED = "saved-names.spec.ts";

/** The path `npm test` found, or else the usual one on Debian. */
const FIREFOX = installed(process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr");
const WEBKIT = installed(process.env["WEBKIT_DRIVER_PATH"] ?? "/usr/bin/WebKitWebDriver");

function installed(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

/**
 * The browsers that Playwright does not drive, if they are installed: one journey with scripts; before a release all
 * journeys, with scripts and without.
 */
export function browserProjects() {
  const paths: readonly (readonly [BrowserChoice["kind"], string | undefined])[] = [
    ["firefox", FIREFOX],
    ["webkit", WEBKIT],
  ];
  return paths.flatMap(([kind, path]) => {
    if (path === undefined) return [];
    return (WITH_RELEASE ? [true, false] : [true]).map((scripts) => ({
      name: `${kind}-${scripts ? "on" : "off"}`,
      testDir: "tests",
      testMatch: "**/browsers/*.spec.ts",
      testIgnore: [FILLED_IN, SAVED, ...(WITH_RELEASE ? [] : ["release/**"])].map((files) => `**/${files}`),
      // One browser and one portal for all journeys.
      fullyParallel: false,
      use: { browserChoice: { kind, path, scripts } },
    }));
  });
}

/** Before a release Firefox and the whole Chromium, if they are installed, each with its own password manager. */
export function managerProjects() {
  const choices: readonly { kind: ManagerChoice["kind"]; path: string | undefined; testMatch: string[] }[] = [
    { kind: "firefox", path: FIREFOX, testMatch: [FILLED_IN, SAVED] },
    { kind: "chromium", path: wholeChromium, testMatch: [FILLED_IN] },
  ];
  return choices.flatMap(({ kind, path, testMatch }) => {
    if (path === undefined || !WITH_RELEASE) return [];
    const name = `${kind}-password-manager`;
    return [{ name, testDir: "tests/release/browsers", testMatch, use: { managerChoice: { kind, path } } }];
  });
}
