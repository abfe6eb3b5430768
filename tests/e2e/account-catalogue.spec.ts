import type { Page } from "@playwright/test";
import { ALL_CODE_STEPS } from "../account-steps";
import { ANNA, JAN } from "../demo-customers";
import { FIRST_PASSWORD, register } from "../new-account";
import { wrongCode } from "../portal";
import { Visitor } from "../visitor";
import { expect, profileButton, takeOver, test } from "./account";
import type { Person } from "./person";

const SUBMIT = /^(Zapisz|Dalej)$/;

async function fill(person: Person, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [field, value] of Object.entries(values)) await person.field(field).fill(value);
}

const submit = (page: Page) => page.locator("main form").getByRole("button", { name: SUBMIT }).click();
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

for (const [name, step] of ALL_CODE_STEPS) {
  test(`§8 016 on ${name}: the fifth wrong code opens the dialog, and the new code it sends works`, async ({
    person,
    page,
    context,
    portal,
    newcomer,
  }) => {
    const { visitor, phone } = await step.arrive(portal, newcomer);
    await takeOver(context, portal, visitor);
    await person.open(step.path);
    const code = await portal.lastCode(phone);
    const messages = await portal.messagesTo(phone);
    const values = step.fields();
    for (let nth = 1; nth <= 5; nth += 1) {
      await fill(person, { authorizationCode: wrongCode(code, nth), ...values });
      await person.send(() => submit(page));
    }
    const blocked = dialog(page, "Kod autoryzacyjny zablokowany");
    await expect(blocked).toBeVisible();
    await blocked.getByRole("button", { name: "Wyślij nowy kod" }).click();
    await expect(blocked).toBeHidden();
    await expect(page).toHaveURL(step.path);
    await expect.poll(() => portal.messagesTo(phone)).toBe(messages + 1);
    await person.alive();
    // Typed values are still there, except passwords and codes where the page was loaded again.
    for (const [field, value] of Object.entries(values))
      if (field.startsWith("newUsername")) await expect(person.field(field)).toHaveValue(value);
    await fill(person, { authorizationCode: await portal.lastCode(phone), ...values });
    await submit(page);
    await expect(page).toHaveURL(step.next);
  });

  test(`§8 007 on ${name}: reported at the field, usernames stay, and the right code works`, async ({
    person,
    page,
    context,
    portal,
    newcomer,
  }) => {
    const { visitor, phone } = await step.arrive(portal, newcomer);
    await takeOver(context, portal, visitor);
    await person.open(step.path);
    const code = await portal.lastCode(phone);
    const values = step.fields();
    await fill(person, { authorizationCode: wrongCode(code), ...values });
    await submit(page);
    await expect(person.refusal).toContainText(
      /(Nieprawidłowy kod autoryzacyjny\.|Ten kod jest nieprawidłowy)/,
    );
    const field = person.field("authorizationCode");
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveAccessibleDescription(/Nieprawidłowy kod autoryzacyjny\./);
    await expect(page).toHaveTitle(/^Błąd: /);
    for (const [each, value] of Object.entries(values))
      if (each.startsWith("newUsername")) await expect(person.field(each)).toHaveValue(value);
    await fill(person, { authorizationCode: code, ...values });
    await submit(page);
    await expect(page).toHaveURL(step.next);
  });
}

test("§8 014 registering again: a dialog, typed values stay, its button leads to the sign-in page", async ({
  person,
  page,
}) => {
  await person.arrive();
  await person.open("/home/register");
  await fill(person, { policyNo: ANNA.policyNo, pid: ANNA.pid });
  await person.button("Wyślij kod autoryzacyjny").click();
  const exists = dialog(page, "Masz już konto");
  await expect(exists).toBeVisible();
  await expect(page).toHaveTitle(/^Błąd: Rejestracja/);
  await expect(person.field("policyNo")).toHaveValue(ANNA.policyNo);
  await exists.getByRole("link", { name: "Przejdź do logowania" }).click();
  await expect(page).toHaveURL("/home");
});

test("§8 014 when somebody has meanwhile registered with the same data: the journey is over", async ({
  person,
  page,
  portal,
  newcomer,
}) => {
  await person.arrive();
  await person.open("/home/register");
  await fill(person, { policyNo: newcomer.policyNo, pid: newcomer.pid });
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(page).toHaveURL("/home/set-password");
  const authorizationCode = await portal.lastCode(newcomer.phone);
  await register(portal, newcomer);
  await person.alive();
  await fill(person, { authorizationCode, newPassword: FIRST_PASSWORD, newPasswordRepeat: FIRST_PASSWORD });
  await submit(page);
  const exists = dialog(page, "Masz już konto");
  await exists.getByRole("link", { name: "Przejdź do logowania" }).click();
  await expect(page).toHaveURL("/home");
  await person.open("/home/set-password");
  await expect(page).toHaveURL("/home/register");
});

for (const [from, path, button] of [
  ["the profile", "/cp/profile", "Zmień nazwę użytkownika"],
  ["confirm-login", "/home/confirm-login", "Zmień nazwę użytkownika"],
] as const) {
  test(`§8 015 after three username changes, from ${from}: a dialog, and on to the portal`, async ({
    person,
    page,
    context,
    portal,
  }) => {
    const visitor = new Visitor(portal);
    await visitor.signIn(JAN);
    await takeOver(context, portal, visitor);
    await person.open(path);
    const messages = await portal.messagesTo(JAN.phone);
    await profileButton(page, button).click();
    const limit = dialog(page, "Nazwy nie można teraz zmienić");
    await expect(limit).toContainText("najwyżej 3 razy w ciągu 30 dni");
    await limit.getByRole("link", { name: "OK" }).click();
    await expect(page).toHaveURL("/cp");
    expect(await portal.messagesTo(JAN.phone)).toBe(messages);
  });
}
