import { expect, test } from "./journey";

const SEND = "Wyślij kod autoryzacyjny";

test("§4 [F36] username reminder: policy number and code; then the username is filled in", async ({
  visitor,
  portal,
  customer,
}) => {
  await visitor.arrive();
  await visitor.follow("Nie pamiętam nazwy użytkownika");
  await visitor.lands("/home/remind-login-init");
  // With an en dash, as letters print it (F29).
  const typed = customer.policyNo.replace("-", "\u2013");
  await visitor.type("policyNo", typed.toLowerCase());
  await visitor.press(SEND);
  await visitor.lands("/home/remind-login-submit");
  const messages = await portal.messagesTo(customer.phone);
  await visitor.reads(`Numer polisy lub wniosku: ${typed}`);
  await visitor.follow("Popraw");
  await visitor.lands("/home/remind-login-init");
  await visitor.holds("policyNo", typed);
  await visitor.press(SEND);
  await visitor.lands("/home/remind-login-submit");
  expect(await portal.messagesTo(customer.phone)).toBe(messages);
  await visitor.type("authorizationCode", await portal.lastCode(customer.phone));
  await visitor.press("Dalej");
  await visitor.lands("/home/remind-login-final");
  await visitor.holds("username", customer.username);
  await visitor.has("username", "readonly", "");
  await visitor.reads(`Twoja nazwa użytkownika to: ${customer.username}`);
  await visitor.offers("link", "Nie pamiętam nazwy użytkownika", 0);
  await visitor.type("password", customer.password);
  await visitor.press("Zaloguj się");
  await visitor.lands("/home/mfa");
  await visitor.confirm(await portal.lastCode(customer.phone));
  await visitor.reads(customer.name, { landmark: "header" });
});

test("§8 101 on the reminded sign-in: username and journey stay; another username is one link away", async ({
  visitor,
  portal,
  customer,
}) => {
  await visitor.arrive();
  await visitor.open("/home/remind-login-init");
  await visitor.type("policyNo", customer.policyNo);
  await visitor.press(SEND);
  await visitor.lands("/home/remind-login-submit");
  await visitor.type("authorizationCode", await portal.lastCode(customer.phone));
  await visitor.press("Dalej");
  await visitor.lands("/home/remind-login-final");
  await visitor.type("password", "Nie-To-Haslo-1");
  await visitor.press("Zaloguj się");
  await visitor.alerted("Nieprawidłowa nazwa użytkownika lub hasło.");
  await visitor.holds("username", customer.username);
  await visitor.holds("password", visitor.secretAfterRefusal("Nie-To-Haslo-1"));
  await visitor.follow("Użyj innej nazwy użytkownika");
  await visitor.lands("/home");
});

test("§4 username change: a resent code keeps typed values; the profile says once that it is done", async ({
  visitor,
  portal,
  signedIn,
}) => {
  const username = `zmieniona.${signedIn.pid}`;
  await visitor.open("/cp/profile");
  await visitor.press("Zmień nazwę użytkownika");
  await visitor.lands("/home/change-login");
  await visitor.fill({ newUsername: username, newUsernameRepeat: username });
  await visitor.resendCode(signedIn.phone);
  await visitor.holds("newUsername", username);
  await visitor.holds("newUsernameRepeat", username);
  await visitor.type("authorizationCode", await portal.lastCode(signedIn.phone));
  await visitor.press("Zapisz");
  await visitor.lands("/cp/profile");
  await visitor.reads("Nazwa użytkownika została zmieniona.");
  await visitor.reads(username);
});
