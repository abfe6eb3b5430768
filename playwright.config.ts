import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import type { OfABrowser } from "./tests/browsers/fixtures";
import { browserProjects } from "./tests/browsers/projects";
import type { OfAProject } from "./tests/e2e/fixtures";

const asRoot = process.getuid?.() === 0;

/** `npm test` names a browser that runs; without it the system's one, else Playwright's own. */
const executablePath =
  process.env["CHROMIUM_PATH"] ??
  ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));

// There is no webServer here: a test starts the portal processes that it needs.
export default defineConfig<object, OfAProject & { engineOf: OfABrowser }>({
  testDir: "tests/e2e",
  outputDir: "test-results/e2e",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 30_000,
  expect: { timeout: 5_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/playwright.json" }]],
  use: {
    browserName: "chromium",
    locale: "pl-PL",
    timezoneId: "Europe/Warsaw",
    // The certificate of the tests is nobody's.
    ignoreHTTPSErrors: true,
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        // Chromium's sandbox refuses to run as root.
        ...(asRoot ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  // One source, several products: every journey has to work with scripts and without, behind nginx as operators run it,
  // and over the wire to a backend of the insurer's own. What only one of them has stands in a folder of its own. What
  // scripts do is the same whichever backend there is, so with an attached one there are only two journeys. A portal
  // alone, as `npm start` runs it, is what the other browsers meet.
  projects: [
    {
      name: "scripts-on",
      use: { javaScriptEnabled: true, house: "deployed" },
      testIgnore: ["without-scripts/**", "gallery/**"],
    },
    {
      name: "scripts-off",
      use: { javaScriptEnabled: false, house: "deployed" },
      testIgnore: ["with-scripts/**", "gallery/**"],
    },
    {
      name: "attached-off",
      use: { javaScriptEnabled: false, house: "attached" },
      testIgnore: ["with-scripts/**", "gallery/**"],
    },
    {
      name: "attached-on",
      use: { javaScriptEnabled: true, house: "attached" },
      testMatch: ["sign-in.spec.ts", "account-registration.spec.ts"],
    },
    ...browserProjects(),
    // Screens by themselves, in every state that the gallery has.
    {
      name: "gallery",
      use: { javaScriptEnabled: true },
      testMatch: "gallery/*.spec.ts",
      snapshotPathTemplate: "{testDir}/gallery/pictures/{arg}{ext}",
    },
  ],
});
