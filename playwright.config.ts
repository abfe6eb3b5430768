import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { fastestChromium } from "./tests/browsers/chromium";
import type { BrowserChoice } from "./tests/browsers/fixtures";
import type { ManagerChoice } from "./tests/release/browsers/managers/fixtures";
import { browserProjects, managerProjects } from "./tests/browsers/projects";
import type { ProjectOptions } from "./tests/e2e/fixtures";
import { LIKE_ANOTHER, WITH_RELEASE } from "./tests/release-run";

/** The folder of this run (scripts/test.mjs). */
const RESULTS = process.env["TEST_RESULTS"] ?? "test-results";

const asRoot = process.getuid?.() === 0;

const journeys = (...names: string[]) => names.map((name) => `journeys/${name}.spec.ts`);

const MAIN_JOURNEYS = journeys("sign-in", "registration");
/** Journeys in which scripts do more than post a form. */
const JOURNEYS_OF_SCRIPTS = journeys("code", "documents", "language", "refusals");

/** At a landing a browser runs one of the tests that are alike. */
const ONE_OF_A_KIND = WITH_RELEASE ? {} : { grepInvert: new RegExp(LIKE_ANOTHER) };

/** The other two ways to run a journey. */
const RELEASE_WAYS = [
  {
    name: "deployed-off",
    use: { javaScriptEnabled: false, portalSetup: "deployed" as const },
    testMatch: [...MAIN_JOURNEYS, "**/e2e/*.spec.ts"],
  },
  {
    name: "attached-on",
    use: { javaScriptEnabled: true, portalSetup: "attached" as const },
    testMatch: MAIN_JOURNEYS,
  },
];

/** What else runs before a release only: looks at single screens, and the developers' server. */
const RELEASE_ONLY = [
  {
    name: "gallery-release",
    testDir: "tests/release/e2e/gallery",
    snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
  },
  { name: "development", testDir: "tests/release/e2e", testMatch: "**/development-server.spec.ts" },
];

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
  // Tests wait for pages and processes: with two workers half of two cores stays idle.
  workers: 3,
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
  // Every journey works with scripts and without. Without scripts a page is its HTML, so all journeys run without a
  // browser (`forms`), on an attached backend; the two main ones in Chromium, too, which sends the same. Those that scripts
  // change run in Chromium with scripts, behind nginx as operators run it; the others do so before a release. Firefox and
  // WebKit test a single portal, as `npm start` runs it.
  projects: [
    {
      name: "chromium",
      ...ONE_OF_A_KIND,
      use: { portalSetup: "deployed" },
      testMatch: [
        "e2e/*.spec.ts",
        "with-scripts/*.spec.ts",
        "without-scripts/*.spec.ts",
        ...(WITH_RELEASE ? ["journeys/*.spec.ts"] : [...MAIN_JOURNEYS, ...JOURNEYS_OF_SCRIPTS]),
      ].map((files) => `**/${files}`),
    },
    {
      name: "chromium-off",
      ...ONE_OF_A_KIND,
      use: { javaScriptEnabled: false, portalSetup: "attached" },
      testMatch: MAIN_JOURNEYS,
    },
    {
      name: "forms",
      testDir: "tests/e2e/journeys",
      use: { withBrowser: false, portalSetup: "attached" },
    },
    ...(WITH_RELEASE ? RELEASE_WAYS : []),
    ...browserProjects(),
    ...managerProjects(),
    // Single screens, in every state of the gallery.
    {
      name: "gallery",
      ...ONE_OF_A_KIND,
      testMatch: "gallery/*.spec.ts",
    },
    ...(WITH_RELEASE ? RELEASE_ONLY : []),
  ],
});
