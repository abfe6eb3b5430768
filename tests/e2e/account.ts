import type { Locator, Page } from "@playwright/test";
import { CODE_STEPS, type CodeStepName } from "../account-steps";
import type { RegisteredCustomer } from "../demo-customers";
import { register } from "../new-account";
import { expect, test as base } from "./fixtures";

export { expect } from "./fixtures";

/** The only policy of a customer, as the list shows it; its page is open. */
interface OpenPolicy {
  readonly name: string;
  readonly number: string;
  /** The main part of its page. */
  readonly main: Locator;
}

interface TestFixtures {
  /** A customer who has registered and is signed in, in this browser. */
  readonly signedIn: RegisteredCustomer;
  /** The policy of the customer who is signed in. */
  readonly policy: OpenPolicy;
  /** Opens a code step with a code on its way; returns the code. */
  readonly standAt: (name: CodeStepName) => Promise<string>;
}

/** Tests of the account journeys, each with its own customer. */
export const test = base.extend<TestFixtures>({
  signedIn: async ({ person, portal, newcomer }, use) => {
    const { account, visitor } = await register(portal, newcomer);
    await person.takeOver(visitor);
    await use(account);
  },
  policy: async ({ person, page, signedIn }, use) => {
    await person.open("/cp");
    const main = page.locator("main");
    const card = main.getByRole("listitem").filter({ hasText: signedIn.policyNo });
    const name = await card.getByRole("heading", { level: 2 }).innerText();
    // Its middle, far from the name.
    await card.click();
    await expect(page).toHaveURL(/\/cp\/policy\/[^/]+$/);
    await person.alive();
    await use({ name, number: signedIn.policyNo, main });
  },
  standAt: async ({ person, portal, newcomer }, use) =>
    use(async (name) => {
      const { visitor, phone } = await CODE_STEPS[name].arrive(portal, newcomer);
      await person.takeOver(visitor);
      await person.open(CODE_STEPS[name].path);
      return portal.lastCode(phone);
    }),
});

/** The part of My Data with this heading, open. */
export async function openPart(page: Page, name: string): Promise<Locator> {
  const part = page.locator("main section").filter({ has: page.getByRole("heading", { name, exact: true }) });
  const details = part.locator("details.part");
  if ((await details.getAttribute("open")) === null) await details.locator("summary").first().click();
  return part;
}
