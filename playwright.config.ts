import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { fastestChromium } from "./tests/browsers/chromium";
import type { BrowserChoice } from "./tests/browsers/fixtures";
import type { ManagerChoice } from "./tests/release/browsers/managers/fixtures";
import { browserProjects, managerProjects } from "./tests/browsers/projects";
import type { ProjectOptions } from "./tests/e2e/fixtures";
import { WITH_RELEASE } from "./tests/release-run";

/** The folder of this run (scripts/test.mjs). */
const RESULTS = process.env["TEST_RESULTS"] ?? "test-results";

const asRoot = process.getuid?.() === 0;

const MAIN_JOURNEYS = ["sign-in.spec.ts", "account-registration.spec.ts"];

/** The other two ways to run a journey. */
const RELEASE_WAYS = [
  {
    name: "scripts-off",
    use: { javaScriptEnabled: false, portalSetup: "deployed" as const },
    testMatch: MAIN_JOURNEYS,
  },
  {
    name: "attached-on",
    use: { javaScriptEnabled: true, portalSetup: "attached" as const },
    testMatch: MAIN_JOURNEYS,
  },
];

/** What looks at single screens before a release only. */
const RELEASE_GALLERY = {
  name: "gallery-release",
  testDir: "tests/release/e2e/gallery",
  use: { javaScriptEnabled: true },
  snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
};

/** The options that the projects of tests/browsers set. */
interface Choices {
  readonly browserChoice: BrowserChoice;
  readonly managerChoice: ManagerChoice;
}

// No webServer: each test starts the portal processes it needs.
export default defineConfig<object, ProjectOptions & Choices>({
  testDir: "tests/e2e",
  globalSetup: "./tests/own-postgres.ts",
  outputDir: join(RESULTS, "e2e"),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // These limits end tests that hang, not slow ones: an expected event never takes that long.
  timeout: 900_000,
  expect: { timeout: 300_000 },
  reporter: [["list"], ["json", { outputFile: join(RESULTS, "playwright.json") }]],
  use: {
    browserName: "chromium",
    locale: "pl-PL",
    timezoneId: "Europe/Warsaw",
    // The tests use a self-signed certificate.
    ignoreHTTPSErrors: true,
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(fastestChromium === undefined ? {} : { executablePath: fastestChromium }),
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
  // Every journey has to work with scripts and without, behind nginx as operators run it, and with an attached backend.
  // Tests for only one of these have their own folder. Each journey runs with scripts behind nginx and without scripts
  // on an attached backend. Scripts behave the same with any backend, and nginx and several portals treat plain forms
  // like those of scripts, so the other two ways are for the two main journeys, before a release. Firefox and WebKit
  // test a single portal, as `npm start` runs it.
  projects: [
    {
      name: "scripts-on",
      use: { javaScriptEnabled: true, portalSetup: "deployed" },
      testIgnore: ["without-scripts/**", "gallery/**"],
    },
    {
      name: "attached-off",
      use: { javaScriptEnabled: false, portalSetup: "attached" },
      testIgnore: ["with-scripts/**", "gallery/**"],
    },
    ...(WITH_RELEASE ? RELEASE_WAYS : []),
    ...browserProjects(),
    ...managerProjects(),
    // Single screens, in every state of the gallery.
    {
      name: "gallery",
      use: { javaScriptEnabled: true },
      testMatch: "gallery/*.spec.ts",
    },
    ...(WITH_RELEASE ? [RELEASE_GALLERY] : []),
  ],
});
