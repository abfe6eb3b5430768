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

/** What a project chooses: the browser, where it is, and whether it runs scripts. */
export interface OfABrowser {
  readonly kind: keyof typeof ENGINES;
  readonly path: string;
  readonly scripts: boolean;
}

interface OfATest {
  /** Somebody in front of the browser, who has not been here before. */
  readonly guest: Guest;
  /** A customer of the demo who has not registered yet. */
  readonly newcomer: DemoCustomer;
  /** Somebody who has registered, elsewhere. */
  readonly customer: RegisteredCustomer;
}

interface OfAWorker {
  readonly engineOf: OfABrowser;
  readonly portal: Portal;
  readonly engine: Engine;
  readonly nextNewcomer: () => DemoCustomer;
}

/** A portal and a browser for all journeys of a project; a visit of its own for each of them. */
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
