import type { Page } from "@playwright/test";
import { FIRST_PASSWORD, NEXT_PASSWORD } from "../new-account";
import { expect, profileButton, test } from "./account";
import type { Person } from "./person";

async function type(person: Person, code: string, password = NEXT_PASSWORD, repeat = password) {
  await person.field("authorizationCode").fill(code);
  await person.field("newPassword").fill(password);
  await person.field("newPasswordRepeat").fill(repeat);
}

const banner = (page: Page) => page.locator("main").getByText("Hasło zostało zmienione.");

test("§4 [F37] password reset: username and code, to /cp without a second one; only the new one works", async ({
  person,
  page,
  portal,
  customer,
}) => {
  await person.arrive();
  await page.getByRole("link", { name: "Nie pamiętam hasła" }).click();
  await expect(page).toHaveURL("/home/reset-password-init");
  await person.alive();
  const messages = await portal.messagesTo(customer.phone);
  await person.field("username").fill(customer.username);
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(page).toHaveURL("/home/reset-password-submit");
  await person.alive();
  // The username is there, locked, for the password manager (C-33).
  await expect(page.getByLabel("Nazwa użytkownika")).toHaveValue(customer.username);
  await expect(page.getByLabel("Nazwa użytkownika")).toHaveAttribute("readonly", "");
  await type(person, await portal.lastCode(customer.phone));
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/cp");
  await expect(banner(page)).toBeVisible();
  expect(await portal.messagesTo(customer.phone)).toBe(messages + 1);
  await person.alive();
  await person.signOut();
  await person.open("/home");
  await person.login(customer);
  await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło.");
  await person.login({ username: customer.username, password: NEXT_PASSWORD });
  await expect(page).toHaveURL("/home/mfa");
});

test("§4 password change from the profile: back there, with a notice shown once, still signed in", async ({
  person,
  page,
  portal,
  signedIn,
}) => {
  await person.open("/cp/profile");
  await profileButton(page, "Zmień hasło").click();
  await expect(page).toHaveURL("/home/change-password");
  await person.alive();
  await type(person, await portal.lastCode(signedIn.phone));
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/cp/profile");
  await expect(banner(page)).toBeVisible();
  await page.reload();
  await expect(person.heading).toHaveText("Moje dane");
  await expect(banner(page)).toHaveCount(0);
});

test("opened from a bookmark, the screen sends no code; its button does", async ({
  person,
  page,
  portal,
  signedIn,
}) => {
  const messages = await portal.messagesTo(signedIn.phone);
  await person.open("/home/change-password");
  expect(await portal.messagesTo(signedIn.phone)).toBe(messages);
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(person.button("Wyślij kod ponownie")).toBeVisible();
  expect(await portal.messagesTo(signedIn.phone)).toBe(messages + 1);
  await person.alive();
  await type(person, await portal.lastCode(signedIn.phone));
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/cp/profile");
});

test("[F43] §8 013 a password used before: reported at its field, and the code still works", async ({
  person,
  page,
  portal,
  signedIn,
}) => {
  await person.open("/home/change-password");
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(person.button("Wyślij kod ponownie")).toBeVisible();
  await person.alive();
  const code = await portal.lastCode(signedIn.phone);
  await type(person, code, FIRST_PASSWORD);
  await person.button("Zapisz").click();
  const field = person.field("newPassword");
  await expect(person.alert).toHaveText("To hasło było już używane");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(/To hasło było już używane\./);
  await expect(person.field("authorizationCode")).not.toHaveAttribute("aria-invalid", "true");
  await expect(page).toHaveTitle(/^Błąd: Zmiana hasła/);
  await type(person, code);
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/cp/profile");
});

test("'Wstecz' leads back to the profile, and nothing has changed", async ({
  person,
  page,
  portal,
  signedIn,
}) => {
  await person.open("/cp/profile");
  await profileButton(page, "Zmień hasło").click();
  await expect(page).toHaveURL("/home/change-password");
  await person.alive();
  await person.button("Wstecz").click();
  await expect(page).toHaveURL("/cp/profile");
  // The address changes before the screen does.
  await expect(person.heading).toHaveText("Moje dane");
  await expect(banner(page)).toHaveCount(0);
  expect(await portal.messagesTo(signedIn.phone)).toBe(2);
});
