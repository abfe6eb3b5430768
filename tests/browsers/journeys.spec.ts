import { ANNA, JAN } from "../demo-customers";
import { FIRST_PASSWORD } from "../new-account";
import { wrongCode } from "../portal";
import { expect, test } from "./fixtures";

const SEND = "Wyślij kod autoryzacyjny";

test("from the cookie gate to the customer area, and the second time without a code", async ({
  guest,
  portal,
}) => {
  await guest.open("/cp/profile");
  await guest.lands("/home/cookies");
  await guest.reads("Zanim przejdziesz dalej", "h1");
  await guest.press("Akceptuję i przechodzę dalej");
  await guest.lands("/home");
  // The address changes before the screen does.
  await expect.poll(() => guest.browser.title()).toBe("Logowanie klienta | Tarnea Ubezpieczenia");
  await guest.login(ANNA);
  await guest.lands("/home/mfa");
  await guest.reads("Potwierdź, że to Ty", "h1");
  await guest.confirm(await portal.lastCode(ANNA.phone));
  await guest.lands("/cp");
  await guest.reads(ANNA.policyNo);
  await guest.reads(`Zalogowano: ${ANNA.name}`, "header");
  await guest.signOut();
  await guest.reads("Wylogowano z portalu", "h1");

  const messages = await portal.messagesTo(ANNA.phone);
  await guest.follow("Zaloguj się ponownie");
  await guest.lands("/home");
  await guest.login(ANNA);
  await guest.lands("/cp");
  expect(await portal.messagesTo(ANNA.phone)).toBe(messages);
});

test("007: a wrong code is reported at its field; Enter there confirms the right one", async ({
  guest,
  portal,
}) => {
  await guest.reachCode(JAN);
  const code = await portal.lastCode(JAN.phone);
  const messages = await portal.messagesTo(JAN.phone);
  await guest.confirm(wrongCode(code));
  await guest.reads("Nieprawidłowy kod autoryzacyjny.");
  expect(await guest.attribute("authorizationCode", "aria-invalid")).toBe("true");
  await guest.type("authorizationCode", code);
  await guest.enter("authorizationCode");
  await guest.lands("/cp");
  expect(await portal.messagesTo(JAN.phone)).toBe(messages);
});

test("registration, and on to the portal without changing the username", async ({
  guest,
  portal,
  newcomer,
}) => {
  await guest.arrive();
  await guest.follow("Zarejestruj się");
  await guest.lands("/home/register");
  await guest.type("policyNo", newcomer.policyNo);
  await guest.type("pid", newcomer.pid);
  await guest.press(SEND);
  await guest.lands("/home/set-password");
  await guest.typePasswords(await portal.lastCode(newcomer.phone), FIRST_PASSWORD);
  await guest.lands("/home/confirm-login");
  await guest.follow("Zostaw tę nazwę");
  await guest.lands("/cp");
  await guest.reads(newcomer.name, "header");
});

test("[F9] going back to a refused form shows it again, not the browser's error page", async ({ guest }) => {
  await guest.arrive();
  await guest.login({ username: JAN.username, password: "Zle-Haslo-2026!" });
  await guest.reads("Nieprawidłowa nazwa użytkownika lub hasło.", "main [role=alert]");
  await guest.follow("Nie pamiętam hasła");
  await guest.lands("/home/reset-password-init");
  await guest.reads("Nie pamiętasz hasła?", "h1");
  await guest.browser.back();
  await guest.reads("Zaloguj się", "h1");
  // Scripts request the page again; without them the browser shows the refused form.
  if (guest.scripts) return;
  await guest.reads("Nieprawidłowa nazwa użytkownika lub hasło.", "main [role=alert]");
  expect(await guest.value("username")).toBe(JAN.username);
  expect(await guest.value("password")).toBe("");
});
