import { test as base, type Browser, type BrowserContext, type ConsoleMessage } from "@playwright/test";
import { register } from "../new-account";
import type { DemoCustomer, RegisteredCustomer } from "../demo-customers";
import type { PublicPortal } from "../portal";
import { Person } from "./person";
import { openPortals, type Portals, type PortalSetup } from "./portals";

export { expect } from "@playwright/test";

interface TestFixtures {
  /** The portal of this project. Its limits let one customer sign in as often as the tests do. */
  readonly portal: PublicPortal;
  /** The portal's next customer who has not registered yet. It has ninety. */
  readonly nextNewcomer: () => DemoCustomer;
  /** A demo customer who has not registered yet. */
  readonly newcomer: DemoCustomer;
  /** A customer who registered in another browser. */
  readonly customer: RegisteredCustomer;
  /** A new visitor in Chromium. */
  readonly person: Person;
  /** Lines that a page may write to the console in this test. */
  readonly expectedOnConsole: RegExp[];
  readonly quietConsole: undefined;
}

/** The settings of a project. */
export interface ProjectOptions {
  readonly portalSetup: PortalSetup;
  /** Whether journeys run in Chromium, or without a browser. */
  readonly withBrowser: boolean;
}

/** What all tests of a worker share. A file with other fixtures of this kind would have workers of its own. */
interface WorkerFixtures extends ProjectOptions {
  readonly portals: Portals;
  /** The browser of all journeys of a worker; undefined where they run without one. */
  readonly ownBrowser: Browser | undefined;
}

/** Chromium's own message about a 400, the status of every refused form. */
const REFUSED_FORM = /^Failed to load resource: the server responded with a status of 400/;

/**
 * Listens to the console of all pages.
 * @returns a function that fails if it has shown anything but what is expected
 */
export function listenTo(context: BrowserContext): (expected: readonly RegExp[]) => void {
  const heard: string[] = [];
  context.on("console", (message: ConsoleMessage) => {
    if (message.type() === "error" || message.type() === "warning") heard.push(message.text());
  });
  context.on("weberror", (error) => heard.push(error.error().stack ?? error.error().message));
  return (expected) => {
    const unexpected = heard.filter((text) => !expected.some((pattern) => pattern.test(text)));
    if (unexpected.length > 0) throw new Error(`Unexpected on the console:\n${unexpected.join("\n")}`);
  };
}

/**
 * Each test has its own browser context. It fails if the console shows anything unexpected: an error of the script, a
 * violation of the content security policy, a missing file.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  portalSetup: ["alone", { option: true, scope: "worker" }],
  withBrowser: [true, { option: true, scope: "worker" }],
  portals: [
    async ({}, use) => {
      const { portals, stop } = openPortals();
      await use(portals);
      await stop();
    },
    { scope: "worker" },
  ],
  ownBrowser: [
    async ({ playwright, browserName, launchOptions, withBrowser }, use) => {
      const browser = withBrowser ? await playwright[browserName].launch(launchOptions) : undefined;
      await use(browser);
      await browser?.close();
    },
    { scope: "worker" },
  ],
  portal: async ({ portals, portalSetup }, use) => use((await portals[portalSetup]()).portal),
  nextNewcomer: async ({ portals, portalSetup }, use) => use((await portals[portalSetup]()).nextNewcomer),
  newcomer: ({ nextNewcomer }, use) => use(nextNewcomer()),
  customer: async ({ portal, nextNewcomer }, use) => use((await register(portal, nextNewcomer())).account),
  baseURL: async ({ portal }, use) => use(portal.origin),
  expectedOnConsole: async ({}, use) => use([REFUSED_FORM]),
  quietConsole: [
    async ({ context, expectedOnConsole }, use) => {
      const mustBeQuiet = listenTo(context);
      await use(undefined);
      mustBeQuiet(expectedOnConsole);
    },
    { auto: true },
  ],
  person: async ({ page, portal, javaScriptEnabled }, use) =>
    use(new Person(page, portal, javaScriptEnabled)),
});
