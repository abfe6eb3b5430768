import { test as base } from "@playwright/test";
import type { DemoCustomer, RegisteredCustomer } from "../demo-customers";
import { customersOf, register } from "../new-account";
import { startPortal, type Portal } from "../portal";
import type { Engine } from "./browser";
import { startFirefox } from "./drivers/firefox";
import { startWebKit } from "./drivers/webkit";
import { Guest } from "./guest";

export { expect } from "@playwright/test";

const ENGINES = { firefox: startFirefox, webkit: startWebKit };

/** The settings of a project: the browser, its path, and whether it runs scripts. */
export interface BrowserChoice {
  readonly kind: keyof typeof ENGINES;
  readonly path: string;
  readonly scripts: boolean;
}

interface TestFixtures {
  /** A new visitor in the browser. */
  readonly guest: Guest;
  /** A demo customer who has not registered yet. */
  readonly newcomer: DemoCustomer;
  /** A customer who registered in another browser. */
  readonly customer: RegisteredCustomer;
}

interface WorkerFixtures {
  readonly browserChoice: BrowserChoice;
  readonly portal: Portal;
  readonly engine: Engine;
  readonly nextNewcomer: () => DemoCustomer;
}

/** All journeys of a project share a portal and a browser; each starts a new visit. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  browserChoice: [
    { kind: "firefox", path: "", scripts: true },
    { option: true, scope: "worker" },
  ],
  portal: [
    async ({}, use) => {
      const portal = await startPortal({ env: { LIMIT_CODE_TRIES_PER_DAY: "100000" } });
      await use(portal);
      await portal.stop();
    },
    { scope: "worker" },
  ],
  engine: [
    async ({ browserChoice: { kind, path, scripts } }, use) => {
      const engine = await ENGINES[kind](path, { scripts });
      await use(engine);
      await engine.stop();
    },
    { scope: "worker" },
  ],
  nextNewcomer: [({}, use) => use(customersOf()), { scope: "worker" }],
  newcomer: ({ nextNewcomer }, use) => use(nextNewcomer()),
  customer: async ({ portal, nextNewcomer }, use) => use((await register(portal, nextNewcomer())).account),
  guest: async ({ engine, browserChoice, portal }, use) => {
    const browser = await engine.visit();
    await use(new Guest(browser, portal, browserChoice.scripts));
    await browser.close();
  },
});
