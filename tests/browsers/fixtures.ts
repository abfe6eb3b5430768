import { test as base } from "@playwright/test";
import type { DemoCustomer, RegisteredCustomer } from "../demo-customers";
import { customersOf, register } from "../new-account";
import { startPortal, type Portal } from "../portal";
import type { Engine } from "./browser";
import { startChromium } from "./drivers/chromium";
import { startFirefox } from "./drivers/firefox";
import { startWebKit } from "./drivers/webkit";
import { Guest } from "./guest";

export { expect } from "@playwright/test";

const ENGINES = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };

/** A project's choices: the browser, its path, and whether it runs scripts. */
export interface OfABrowser {
  readonly kind: keyof typeof ENGINES;
  readonly path: string;
  readonly scripts: boolean;
}

interface OfATest {
  /** A new visitor at the browser. */
  readonly guest: Guest;
  /** A demo customer who has not registered yet. */
  readonly newcomer: DemoCustomer;
  /** A customer who registered in another browser. */
  readonly customer: RegisteredCustomer;
}

interface OfAWorker {
  readonly engineOf: OfABrowser;
  readonly portal: Portal;
  readonly engine: Engine;
  readonly nextNewcomer: () => DemoCustomer;
}

/** One portal and one browser for all journeys of a project, and a new visit for each journey. */
export const test = base.extend<OfATest, OfAWorker>({
  engineOf: [
    { kind: "chromium", path: "", scripts: true },
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
    async ({ engineOf: { kind, path, scripts } }, use) => {
      const engine = await ENGINES[kind](path, { scripts });
      await use(engine);
      await engine.stop();
    },
    { scope: "worker" },
  ],
  nextNewcomer: [({}, use) => use(customersOf()), { scope: "worker" }],
  newcomer: ({ nextNewcomer }, use) => use(nextNewcomer()),
  customer: async ({ portal, nextNewcomer }, use) => use((await register(portal, nextNewcomer())).account),
  guest: async ({ engine, engineOf, portal }, use) => {
    const browser = await engine.visit();
    await use(new Guest(browser, portal, engineOf.scripts));
    await browser.close();
  },
});
