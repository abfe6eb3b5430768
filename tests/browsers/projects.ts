import { existsSync } from "node:fs";
import type { BrowserChoice } from "./fixtures";

interface Place {
  readonly kind: BrowserChoice["kind"];
  /** The variable with the path `npm test` found. */
  readonly variable: string;
  /** Its path on Debian. */
  readonly usual: string;
}

const PLACES: readonly Place[] = [
  { kind: "firefox", variable: "FIREFOX_PATH", usual: "/usr/bin/firefox-esr" },
  { kind: "webkit", variable: "WEBKIT_DRIVER_PATH", usual: "/usr/bin/WebKitWebDriver" },
];

/** The browsers that Playwright does not drive, if they are installed, with and without scripts. */
export function browserProjects() {
  return PLACES.flatMap(({ kind, variable, usual }) => {
    const path = process.env[variable] ?? usual;
    if (!existsSync(path)) return [];
    return [true, false].map((scripts) => ({
      name: `${kind}-${scripts ? "on" : "off"}`,
      testDir: "tests/browsers",
      testMatch: "*.spec.ts",
      // One browser and one portal for all journeys.
      fullyParallel: false,
      timeout: 60_000,
      use: { browserChoice: { kind, path, scripts } },
    }));
  });
}
