import { CODE_STEPS, type CodeStepName } from "../../account-steps";
import type { RegisteredCustomer } from "../../demo-customers";
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
  /** A customer who has registered and is signed in, as this visitor. */
  readonly signedIn: RegisteredCustomer;
  /** Opens a code step with a code on its way; returns the code. */
  readonly standAt: (name: CodeStepName) => Promise<string>;
}

/**
 * Journeys run in Chromium, with scripts or without, and without a browser, from one source (tests/README.md). So they
 * don't ask for Playwright's `page`.
 */
export const test = base.extend<TestFixtures>({
  // Playwright's own context would start a browser.
  quietConsole: ({}, use) => use(undefined),
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
