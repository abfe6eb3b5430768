import { FIRST_PASSWORD, NEXT_PASSWORD } from "../../new-account";
import { expect, test } from "./journey";

const SEND = "Wyślij kod autoryzacyjny";
const DONE = "Hasło zostało zmienione.";

test("§4 [F37] password reset: username and code, to /cp without a second one; only the new one works", async ({
  visitor,
  portal,
  customer,
}) => {
  await visitor.arrive();
  await visitor.follow("Nie pamiętam hasła");
  await visitor.lands("/home/reset-password-init");
  const messages = await portal.messagesTo(customer.phone);
  await visitor.type("username", customer.username);
  await visitor.press(SEND);
  await visitor.lands("/home/reset-password-submit");
  // The username is there, locked, for the password manager (C-33).
  await visitor.holds("Nazwa użytkownika", customer.username);
  await visitor.has("Nazwa użytkownika", "readonly", "");
  await visitor.setPassword(await portal.lastCode(customer.phone), NEXT_PASSWORD);
  await visitor.lands("/cp");
  await visitor.reads(DONE);
  expect(await portal.messagesTo(customer.phone)).toBe(messages + 1);
  await visitor.signInAgain(customer);
  await visitor.alerted("Nieprawidłowa nazwa użytkownika lub hasło.");
  await visitor.login({ username: customer.username, password: NEXT_PASSWORD });
  await visitor.lands("/home/mfa");
});

test("§4 password change from the profile: back there, with a notice shown once, still signed in", async ({
  visitor,
  portal,
  signedIn,
}) => {
  await visitor.open("/cp/profile");
  await visitor.press("Zmień hasło");
  await visitor.lands("/home/change-password");
  await visitor.setPassword(await portal.lastCode(signedIn.phone), NEXT_PASSWORD);
  await visitor.lands("/cp/profile");
  await visitor.reads(DONE);
  await visitor.reload();
  await visitor.headed("Moje dane");
  await visitor.lacks(DONE);
});

test("opened from a bookmark, the screen sends no code; its button does", async ({
  visitor,
  portal,
  signedIn,
}) => {
  const messages = await portal.messagesTo(signedIn.phone);
  await visitor.open("/home/change-password");
  expect(await portal.messagesTo(signedIn.phone)).toBe(messages);
  await visitor.send(SEND);
  await visitor.offers("button", "Wyślij kod ponownie", 1);
  expect(await portal.messagesTo(signedIn.phone)).toBe(messages + 1);
  await visitor.setPassword(await portal.lastCode(signedIn.phone), NEXT_PASSWORD);
  await visitor.lands("/cp/profile");
});

test("[F43] §8 013 a password used before: reported at its field, and the code still works", async ({
  visitor,
  portal,
  signedIn,
}) => {
  await visitor.open("/home/change-password");
  await visitor.send(SEND);
  const code = await portal.lastCode(signedIn.phone);
  await visitor.setPassword(code, FIRST_PASSWORD);
  await visitor.alerted("To hasło było już używane");
  await visitor.faulty("newPassword", "To hasło było już używane.");
  await visitor.sound("authorizationCode");
  await visitor.titled(/^Błąd: Zmiana hasła/);
  await visitor.setPassword(code, NEXT_PASSWORD);
  await visitor.lands("/cp/profile");
});

test("'Wstecz' leads back to the profile, and nothing has changed", async ({ visitor, portal, signedIn }) => {
  await visitor.open("/cp/profile");
  await visitor.press("Zmień hasło");
  await visitor.lands("/home/change-password");
  await visitor.press("Wstecz");
  await visitor.lands("/cp/profile");
  // The address changes before the screen does.
  await visitor.headed("Moje dane");
  await visitor.lacks(DONE);
  expect(await portal.messagesTo(signedIn.phone)).toBe(2);
});
