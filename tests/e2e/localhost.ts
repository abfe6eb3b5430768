import type { Page } from "@playwright/test";
import type { RegisteredCustomer } from "../demo-customers";
import { type Portal, startPortal } from "../portal";
import { expect, openPart, test as base } from "./account";
import type { Person } from "./person";

export { expect, openPart } from "./account";

interface WorkerFixtures {
  readonly local: Portal;
}

/** Tests on a portal without a public origin, opened as localhost: passkeys need a name. */
export const test = base.extend<object, WorkerFixtures>({
  local: [
    async ({}, use) => {
      const portal = await startPortal({ env: { LIMIT_CODE_TRIES_PER_DAY: "100000" } });
      await use({ ...portal, origin: `http://localhost:${portal.port}` });
      await portal.stop();
    },
    { scope: "worker" },
  ],
  portal: [async ({ local }, use) => use(local), { scope: "worker" }],
});

export const MAKE = "Utwórz klucz dostępu";
export const USE = "Użyj klucza dostępu";

/** Goes from My Data to the step that makes a passkey. */
export async function toSecondStep(person: Person, page: Page, { phone }: RegisteredCustomer): Promise<void> {
  await person.open("/cp/profile");
  await openPart(page, "Drugi krok logowania");
  await page.getByRole("link", { name: "Dodaj klucz dostępu" }).click();
  await expect(page).toHaveURL("/home/add-passkey");
  await person.alive();
  await person.sending(() => person.button("Wyślij kod autoryzacyjny").click());
  await person.alive();
  await person.field("authorizationCode").fill(await person.portal.lastCode(phone));
  await person.sending(() => person.button("Potwierdź").click());
  await expect(person.button(MAKE)).toBeVisible();
  await person.alive();
}
