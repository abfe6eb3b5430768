import { ANNA } from "../demo-customers";
import { expect, profileButton, test } from "./account";

test("§4 [F36] username reminder: policy number and code; then the username is filled in", async ({
  person,
  page,
  portal,
  customer,
}) => {
  await person.arrive();
  await page.getByRole("link", { name: "Nie pamiętam nazwy użytkownika" }).click();
  await expect(page).toHaveURL("/home/remind-login-init");
  await person.alive();
  // With an en dash, as letters print it (F29).
  const typed = customer.policyNo.replace("-", "\u2013");
  await person.field("policyNo").fill(typed.toLowerCase());
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(page).toHaveURL("/home/remind-login-submit");
  await person.alive();
  const messages = await portal.messagesTo(customer.phone);
  await expect(page.locator("main")).toContainText(`Numer polisy lub wniosku: ${typed}`);
  await page.getByRole("link", { name: "Popraw" }).click();
  await expect(page).toHaveURL("/home/remind-login-init");
  await person.alive();
  await expect(person.field("policyNo")).toHaveValue(typed);
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(page).toHaveURL("/home/remind-login-submit");
  await person.alive();
  expect(await portal.messagesTo(customer.phone)).toBe(messages);
  await person.field("authorizationCode").fill(await portal.lastCode(customer.phone));
  await person.button("Dalej").click();
  await expect(page).toHaveURL("/home/remind-login-final");
  await person.alive();
  const name = person.field("username");
  await expect(name).toHaveValue(customer.username);
  await expect(name).toHaveAttribute("readonly", "");
  await expect(page.locator("main")).toContainText(`Twoja nazwa użytkownika to: ${customer.username}`);
  await expect(page.getByRole("link", { name: "Nie pamiętam nazwy użytkownika" })).toHaveCount(0);
  // The username comes from the flow, whatever is done to the field.
  await name.evaluate((input: HTMLInputElement, other) => (input.value = other), ANNA.username);
  await person.field("password").fill(customer.password);
  await person.button("Zaloguj się").click();
  await expect(page).toHaveURL("/home/mfa");
  await person.alive();
  await person.confirm(await portal.lastCode(customer.phone));
  await expect(page.getByRole("banner")).toContainText(customer.name);
});

test("§8 101 on the reminded sign-in: username and journey stay; another username is one link away", async ({
  person,
  page,
  portal,
  customer,
}) => {
  await person.arrive();
  await person.open("/home/remind-login-init");
  await person.field("policyNo").fill(customer.policyNo);
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(page).toHaveURL("/home/remind-login-submit");
  await person.alive();
  await person.field("authorizationCode").fill(await portal.lastCode(customer.phone));
  await person.button("Dalej").click();
  await expect(page).toHaveURL("/home/remind-login-final");
  await person.alive();
  await person.field("password").fill("Nie-To-Haslo-1");
  await person.button("Zaloguj się").click();
  await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło.");
  await expect(person.field("username")).toHaveValue(customer.username);
  await expect(person.field("password")).toHaveValue(person.secretAfterRefusal("Nie-To-Haslo-1"));
  await page.getByRole("link", { name: "Użyj innej nazwy użytkownika" }).click();
  await expect(page).toHaveURL("/home");
});

test("§4 username change: a resent code keeps typed values; the profile says once that it is done", async ({
  person,
  page,
  portal,
  signedIn,
}) => {
  const username = `zmieniona.${signedIn.pid}`;
  await person.open("/cp/profile");
  await profileButton(page, "Zmień nazwę użytkownika").click();
  await expect(page).toHaveURL("/home/change-login");
  await person.alive();
  await person.field("newUsername").fill(username);
  await person.field("newUsernameRepeat").fill(username);
  await person.resendCode(signedIn.phone);
  await expect(person.field("newUsername")).toHaveValue(username);
  await expect(person.field("newUsernameRepeat")).toHaveValue(username);
  await person.field("authorizationCode").fill(await portal.lastCode(signedIn.phone));
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/cp/profile");
  await expect(page.getByText("Nazwa użytkownika została zmieniona.")).toBeVisible();
  await expect(page.locator("main")).toContainText(username);
});
