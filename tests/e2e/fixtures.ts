import { test as base, type BrowserContext, type ConsoleMessage } from "@playwright/test";
import { startAttachedPortal } from "../attached-portals";
import type { DemoCustomer } from "../demo-customers";
import { customersOf } from "../new-account";
import { startPortal, type PublicPortal } from "../portal";
import { startTopology } from "../topology/topology";
import { Person } from "./person";

export { expect } from "@playwright/test";

interface TestFixtures {
  /** A new visitor in Chromium. */
  readonly person: Person;
  /** Lines that a page may write to the console in this test. */
  readonly expectedOnConsole: RegExp[];
  readonly quietConsole: undefined;
}

/**
 * How the portal is run: one process with its own backend, as `npm start` does; with a second portal as its backend,
 * over the network, as an insurer's own would be; or as operators run it, behind nginx with TLS.
 */
export type PortalSetup = "alone" | "attached" | "deployed";

/** The settings of a project. */
export interface ProjectOptions {
  readonly portalSetup: PortalSetup;
  /** Whether journeys run in Chromium, or without a browser. */
  readonly withBrowser: boolean;
}

/** What all tests of a worker share. */
export interface WorkerFixtures extends ProjectOptions {
  /** One portal for all tests of a worker. Its limits let one customer sign in as often as the tests do. */
  readonly portal: PublicPortal;
  /** The portal's next customer who has not registered yet. It has ninety. */
  readonly nextNewcomer: () => DemoCustomer;
}

/** Chromium's own message about a 400, the status of every refused form. */
const REFUSED_FORM = /^Failed to load resource: the server responded with a status of 400/;

const STARTERS = { alone: startPortal, attached: startAttachedPortal, deployed: startTopology };

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
  portal: [
    async ({ portalSetup }, use) => {
      const portal = await STARTERS[portalSetup]({ env: { LIMIT_CODE_TRIES_PER_DAY: "100000" } });
      await use(portal);
      await portal.stop();
    },
    { scope: "worker" },
  ],
  // Here, not in account.ts: files with other fixtures of this kind have workers, and so portals, of their own.
  nextNewcomer: [({}, use) => use(customersOf()), { scope: "worker" }],
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
