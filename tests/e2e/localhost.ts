import type { RegisteredCustomer } from "../demo-customers";
import type { Portal } from "../portal";
import { expect, test as base } from "./account";
import type { Person } from "./person";

export { expect } from "./account";

/** Tests on a portal that is opened as localhost. */
export const test = base.extend<{ readonly local: Portal }>({
  local: async ({ portals }, use) => use((await portals.localhost()).portal),
  nextNewcomer: async ({ portals }, use) => use((await portals.localhost()).nextNewcomer),
  portal: ({ local }, use) => use(local),
});

export const MAKE = "Utwórz klucz dostępu";
export const USE = "Użyj klucza dostępu";

/** Opens the step that makes a passkey; its code is confirmed by HTTP. */
export async function toSecondStep(person: Person, { phone }: RegisteredCustomer): Promise<void> {
  const { origin, lastCode } = person.portal;
  const path = `${origin}/home/add-passkey`;
  const post = (form: Readonly<Record<string, string>>) =>
    person.page.request.post(path, { form, headers: { Origin: origin }, maxRedirects: 0 });
  await post({ intent: "send-code" });
  await post({ authorizationCode: await lastCode(phone) });
  await person.open("/home/add-passkey");
  await expect(person.button(MAKE)).toBeVisible();
}

/** Makes a passkey with the device of this browser, as far as the page that shows the recovery code. */
export async function addPasskey(person: Person, customer: RegisteredCustomer): Promise<void> {
  await toSecondStep(person, customer);
  await person.button(MAKE).click();
  await expect(person.page).toHaveURL("/home/recovery-code");
}
