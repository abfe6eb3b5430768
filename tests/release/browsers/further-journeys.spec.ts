import { ANNA, EWA, JAN, PIOTR, PIOTRS_DOCUMENT_PASSWORD } from "../../demo-customers";
import { appCode } from "../../factor-steps";
import { FIRST_PASSWORD, NEXT_PASSWORD } from "../../new-account";
import { wrongCode } from "../../portal";
import { startTopology } from "../../topology/topology";
import { expect, test } from "../../browsers/fixtures";
import { Guest } from "../../browsers/guest";

const SEND = "Wyślij kod autoryzacyjny";

test("a device the customer chose not to trust is asked for a code again", async ({ guest, portal }) => {
  await guest.reachCode(PIOTR);
  await guest.press("", 'main [role="switch"]');
  await guest.confirm(await portal.lastCode(PIOTR.phone));
  await guest.lands("/cp");
  await guest.signOut();
  await guest.open("/home");
  await guest.login(PIOTR);
  await guest.lands("/home/mfa");
});

test("101: shown above the form, which keeps the username; then the right password works", async ({
  guest,
}) => {
  await guest.arrive();
  await guest.login({ username: JAN.username, password: "Zle-Haslo-2026!" });
  await guest.reads("Nieprawidłowa nazwa użytkownika lub hasło.", "main [role=alert]");
  expect(await guest.value("username")).toBe(JAN.username);
  // With scripts the typed password stays; the server never sends it back.
  await expect.poll(() => guest.value("password")).toBe(guest.scripts ? "Zle-Haslo-2026!" : "");
  expect(await guest.browser.title()).toMatch(/^Błąd: /);
  await guest.login(JAN);
  await guest.lands("/home/mfa");
});

test("108: the portal's own dialog comes before everything else and leads back", async ({ guest }) => {
  await guest.arrive();
  await guest.login(EWA);
  await guest.reads("Konto wyłączone", "dialog");
  if (guest.scripts) {
    await expect.poll(() => guest.focusedWords()).toBe("Konto wyłączone");
    await guest.escape();
  } else await guest.press("OK", "dialog a");
  await guest.gone("dialog");
  await guest.lands("/home");
});

test("an authenticator app: added on My Data, it confirms the next sign-in", async ({
  guest,
  portal,
  customer,
}) => {
  await guest.arrive();
  await guest.login(customer);
  await guest.lands("/home/mfa");
  await guest.press("", 'main [role="switch"]');
  await guest.confirm(await portal.lastCode(customer.phone));
  await guest.lands("/cp");
  await guest.open("/home/add-app");
  await guest.press(SEND);
  await guest.reads("SMS z kodem wysłaliśmy");
  await guest.confirm(await portal.lastCode(customer.phone));
  await guest.reads(/Połącz aplikację z\skontem/, "h1");
  const secret = /([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec((await guest.texts("main")).join(" "))?.[0] ?? "";
  const app = { secret: secret.replaceAll(" ", "") };
  await guest.type("code", appCode(app, Date.now()));
  await guest.press("Dodaj aplikację");
  await guest.lands("/home/recovery-code");
  const shown = /([A-Z2-7]{4}-){5}[A-Z2-7]{4}/.exec(
    (await guest.texts("main")).join("").replaceAll("\n", ""),
  );
  await guest.type("last", shown?.[0].slice(-4) ?? "");
  await guest.press("Mam zapisany kod");
  await guest.reads("Dodano aplikację z kodami.");
  const messages = await portal.messagesTo(customer.phone);
  await guest.signOut();
  await guest.open("/home");
  await guest.login(customer);
  await guest.lands("/home/mfa");
  // The step of the first code is used up.
  await guest.confirm(appCode(app, Date.now(), 1));
  await guest.lands("/cp");
  expect(await portal.messagesTo(customer.phone)).toBe(messages);
});

test("a passkey: its page offers one, or says why this browser has none", async ({
  guest: { browser, scripts },
  portal,
  customer,
}) => {
  // No browser has passkeys at an IP address.
  const origin = portal.origin.replace("127.0.0.1", "localhost");
  const guest = new Guest(browser, { ...portal, origin }, scripts);
  await guest.arrive();
  await guest.login(customer);
  await guest.lands("/home/mfa");
  await guest.confirm(await portal.lastCode(customer.phone));
  await guest.lands("/cp");
  await guest.open("/home/add-passkey");
  await guest.press(SEND);
  await guest.reads("SMS z kodem wysłaliśmy");
  await guest.confirm(await portal.lastCode(customer.phone));
  await guest.reads(/Utwórz klucz\sdostępu/, "h1");
  await guest.reads("Dodaj aplikację z kodami");
  // A browser that has passkeys asks its user now, and a test can't answer.
  if (scripts && (await browser.evaluate('"PublicKeyCredential" in window')) === true) return;
  await guest.press("Utwórz klucz dostępu");
  await guest.reads(/nie obsługuje kluczy\sdostępu|potrzebna jest przeglądarka/);
});

test("password reset: by username and code to the portal", async ({ guest, portal, customer }) => {
  await guest.arrive();
  await guest.follow("Nie pamiętam hasła");
  await guest.lands("/home/reset-password-init");
  await guest.type("username", customer.username);
  await guest.press(SEND);
  await guest.lands("/home/reset-password-submit");
  await guest.typePasswords(await portal.lastCode(customer.phone), NEXT_PASSWORD);
  await guest.lands("/cp");
});

test("username reminder: policy number and code bring back the username, and it signs in", async ({
  guest,
  portal,
  customer,
}) => {
  await guest.arrive();
  await guest.follow("Nie pamiętam nazwy użytkownika");
  await guest.lands("/home/remind-login-init");
  await guest.type("policyNo", customer.policyNo);
  await guest.press(SEND);
  await guest.lands("/home/remind-login-submit");
  await guest.type("authorizationCode", await portal.lastCode(customer.phone));
  await guest.press("Dalej");
  await guest.lands("/home/remind-login-final");
  expect(await guest.value("username")).toBe(customer.username);
  await guest.type("password", customer.password);
  await guest.press("Zaloguj się");
  await guest.lands("/home/mfa");
  await guest.confirm(await portal.lastCode(customer.phone));
  await guest.lands("/cp");
});

test("from the profile: username, password and document password are changed, each with a notice", async ({
  guest,
  portal,
  customer,
}) => {
  await guest.signIn(customer);
  await guest.follow("Moje dane", "nav a");
  await guest.lands("/cp/profile");
  await guest.reads(/Firefox|Chrom|Safari|Epiphany|MiniBrowser/);

  await guest.press("Zmień nazwę użytkownika");
  await guest.lands("/home/change-login");
  const username = `Zmieniona.${customer.pid}@ż`;
  await guest.type("authorizationCode", await portal.lastCode(customer.phone));
  await guest.type("newUsername", username);
  await guest.type("newUsernameRepeat", username);
  await guest.press("Zapisz");
  await guest.lands("/cp/profile");
  await guest.reads("Nazwa użytkownika została zmieniona.");

  await guest.press("Zmień hasło");
  await guest.lands("/home/change-password");
  await guest.typePasswords(await portal.lastCode(customer.phone), NEXT_PASSWORD);
  await guest.lands("/cp/profile");
  await guest.reads("Hasło zostało zmienione.");

  await guest.press("Utwórz hasło do dokumentów");
  await guest.lands("/home/create-document-password");
  await guest.type("authorizationCode", await portal.lastCode(customer.phone));
  await guest.type("password", PIOTRS_DOCUMENT_PASSWORD);
  await guest.follow("Dozwolone znaki");
  await guest.reads("litery bez polskich znaków", "dialog");
  await guest.press("Zamknij", "dialog a");
  await guest.type("passwordRepeat", PIOTRS_DOCUMENT_PASSWORD);
  await guest.press("Zapisz");
  await guest.lands("/cp/profile?document-password-save-result=create");
  await guest.reads("Hasło do dokumentów zostało utworzone.");
});

test("a visitor who is asked whether to sign out can say no", async ({ guest, customer }) => {
  await guest.signIn(customer);
  await guest.follow("Wyloguj się", "header a");
  await guest.follow("Wróć", "dialog a");
  await guest.gone("dialog");
  if (guest.scripts) {
    await guest.follow("Wyloguj się", "header a");
    await guest.reads("Czy chcesz się wylogować?", "dialog");
    await guest.escape();
    await guest.gone("dialog");
  }
  await guest.follow("Moje dane", "nav a");
  await guest.lands("/cp/profile");
});

test("[S37, S55] after signing out, the back button shows no customer data", async ({
  guest: { browser, scripts },
}) => {
  // Over https, as for customers: WebKit keeps http pages for the back button, whatever their headers say.
  const portal = await startTopology();
  const guest = new Guest(browser, portal, scripts);
  await guest.signIn(ANNA);
  await guest.open("/cp/profile");
  await guest.signOut();
  for (let step = 0; step < 3; step += 1) {
    await browser.back();
    // The answer is in, so nothing else can appear.
    await guest.reads("Zaloguj się", "h1");
    await guest.lacks(ANNA.policyNo, "header, main");
    await guest.lacks(ANNA.name, "header, main");
  }
  await portal.stop();
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
