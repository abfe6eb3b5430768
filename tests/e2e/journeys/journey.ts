import type { Browser } from "@playwright/test";
import { CODE_STEPS, type CodeStepName } from "../../account-steps";
import type { DemoCustomer, RegisteredCustomer } from "../../demo-customers";
import { FormVisitor } from "../../forms/form-visitor";
import { PlainBrowser } from "../../forms/plain-browser";
import { register } from "../../new-account";
import type { PublicPortal } from "../../portal";
import { listenTo, test as base } from "../fixtures";
import type { JourneyVisitor } from "../journey-visitor";
import { Person } from "../person";

export { expect } from "@playwright/test";

interface TestFixtures {
  /** Opens a visitor at any portal, with cookies of their own. */
  readonly visitorAt: (portal: PublicPortal) => Promise<JourneyVisitor>;
  /** A new visitor. */
  readonly visitor: JourneyVisitor;
  /** A demo customer who has not registered yet. */
  readonly newcomer: DemoCustomer;
  /** A customer who registered in another browser. */
  readonly customer: RegisteredCustomer;
  /** A customer who has registered and is signed in, as this visitor. */
  readonly signedIn: RegisteredCustomer;
  /** Opens a code step with a code on its way; returns the code. */
  readonly standAt: (name: CodeStepName) => Promise<string>;
}

interface WorkerFixtures {
  /** The browser of all journeys of a worker; undefined where they run without one. */
  readonly ownBrowser: Browser | undefined;
}

/**
 * Journeys run in Chromium, with scripts or without, and without a browser, from one source (tests/README.md). So they
 * don't ask for Playwright's `page`.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  // Playwright's own context would start a browser.
  quietConsole: ({}, use) => use(undefined),
  ownBrowser: [
    async ({ playwright, browserName, launchOptions, withBrowser }, use) => {
      const browser = withBrowser ? await playwright[browserName].launch(launchOptions) : undefined;
      await use(browser);
      await browser?.close();
    },
    { scope: "worker" },
  ],
  visitorAt: async (
    { playwright, ownBrowser, expectedOnConsole, javaScriptEnabled, locale, timezoneId },
    use,
  ) => {
    const endings: (() => Promise<void>)[] = [];
    await use(async (portal) => {
      if (!ownBrowser) {
        const plain = new PlainBrowser(playwright.request, portal.origin);
        endings.push(() => plain.close());
        return new FormVisitor(plain, portal);
      }
      const context = await ownBrowser.newContext({
        javaScriptEnabled,
        ignoreHTTPSErrors: true,
        ...(locale !== undefined && { locale }),
        ...(timezoneId !== undefined && { timezoneId }),
      });
      const mustBeQuiet = listenTo(context);
      endings.push(async () => {
        await context.close();
        mustBeQuiet(expectedOnConsole);
      });
      return new Person(await context.newPage(), portal, javaScriptEnabled);
    });
    for (const end of endings) await end();
  },
  visitor: async ({ visitorAt, portal }, use) => use(await visitorAt(portal)),
  newcomer: ({ nextNewcomer }, use) => use(nextNewcomer()),
  customer: async ({ portal, nextNewcomer }, use) => use((await register(portal, nextNewcomer())).account),
  signedIn: async ({ visitor, portal, nextNewcomer }, use) => {
    const registered = await register(portal, nextNewcomer());
    await visitor.takeOver(registered.visitor);
    await use(registered.account);
  },
  standAt: async ({ visitor, portal, newcomer }, use) =>
    use(async (name) => {
      const arrival = await CODE_STEPS[name].arrive(portal, newcomer);
      await visitor.takeOver(arrival.visitor);
      await visitor.open(CODE_STEPS[name].path);
      return portal.lastCode(arrival.phone);
    }),
});
