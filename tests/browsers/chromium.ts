import { existsSync } from "node:fs";

const WHOLE = ["/usr/bin/chromium", "/usr/bin/google-chrome"];

const firstOf = (paths: readonly string[]) => paths.find((path) => existsSync(path));

/** `npm test` sets CHROMIUM_PATH to a working browser; otherwise the system's fastest. Without it: Playwright's own. */
export const fastestChromium =
  process.env["CHROMIUM_PATH"] ?? firstOf(["/usr/bin/chromium-headless-shell", ...WHOLE]);

/** A Chromium with all its settings, which the headless shell lacks, found in the same way. */
export const wholeChromium = process.env["WHOLE_CHROMIUM_PATH"] ?? firstOf(WHOLE);
