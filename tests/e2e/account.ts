import type { BrowserContext, Page } from "@playwright/test";
import type { DemoCustomer, RegisteredCustomer } from "../demo-customers";
import { customersOf, register } from "../new-account";
import type { PublicPortal } from "../portal";
import type { Visitor } from "../visitor";
import { test as base } from "./fixtures";

export { expect } from "./fixtures";

interface OfATest {
  /** A customer of the demo who has not registered yet. */
  readonly newcomer: DemoCustomer;
  /** Somebody who has registered, in another browser. */
  readonly customer: RegisteredCustomer;
  /** Somebody who has registered, and is signed in in this browser. */
  readonly signedIn: RegisteredCustomer;
}

interface OfAWorker {
  readonly nextNewcomer: () => DemoCustomer;
}

/** Tests of the account flows: each has a customer of its own. */
export const test = base.extend<OfATest, OfAWorker>({
  // A worker has a portal of its own, with fifty who may register.
  nextNewcomer: [({}, use) => use(customersOf()), { scope: "worker" }],
  newcomer: ({ nextNewcomer }, use) => use(nextNewcomer()),
  customer: async ({ portal, nextNewcomer }, use) => use((await register(portal, nextNewcomer())).account),
  signedIn: async ({ context, portal, nextNewcomer }, use) => {
    const { account, visitor } = await register(portal, nextNewcomer());
    await takeOver(context, portal, visitor);
    await use(account);
  },
});

/** Goes on with another browser's cookies. */
export async function takeOver(
  context: BrowserContext,
  { origin, secure = false }: PublicPortal,
  { cookies }: Visitor,
): Promise<void> {
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin, secure })));
}

/** What the action of the profile with this name begins. */
export function profileButton(page: Page, name: string) {
  return page.locator("main").getByRole("button", { name, exact: true });
}
