import type { RegisteredCustomer } from "../../demo-customers";
import { appCode } from "../../factor-steps";
import type { JourneyVisitor } from "../journey-visitor";
import { expect, test } from "./journey";

const SEND = "Wyślij kod autoryzacyjny";
const REMOVE = "Usuń: aplikacja z kodami Telefon służbowy";
const FACTORS = { id: "factors" };
const NEW_PASSWORD = "Nowe-Haslo-2026";
const UNKNOWN_WHETHER_NOTED = "Nie wiemy, czy masz zapisany kod odzyskiwania.";

/** The notes of a customer who adds an app. */
interface Noted {
  readonly secret: string;
  readonly recoveryCode: string;
}

/** The code of the next half minute, which is taken already: that of this one may have added the app. */
const nextCode = ({ secret }: Noted) => appCode({ secret }, Date.now(), 1);

/** The recovery code that the page shows. */
async function shownCode(visitor: JourneyVisitor): Promise<string> {
  return /([A-Z2-7]{4}-){5}[A-Z2-7]{4}/.exec(await visitor.textOf())?.[0] ?? "";
}

/** Types the end of the recovery code, or whatever `typed` says, and goes on. */
async function keepCode(visitor: JourneyVisitor, code: string, typed = code.slice(-4).toLowerCase()) {
  await visitor.type("last", typed);
  await visitor.send("Mam zapisany kod");
}

/** Adds an app from My Data, as far as its recovery code. */
async function reachShownCode(visitor: JourneyVisitor, { phone }: RegisteredCustomer): Promise<Noted> {
  await visitor.open("/cp/profile");
  await visitor.unfold("Drugi krok logowania");
  await visitor.follow("Dodaj aplikację z kodami");
  await visitor.lands("/home/add-app");
  await visitor.send(SEND);
  await visitor.type("authorizationCode", await visitor.portal.lastCode(phone));
  await visitor.send("Potwierdź");
  await visitor.headed(/Połącz aplikację z\skontem/);
  await visitor.offers("picture", "Kod QR z kluczem do aplikacji", 1);
  const secret = new URL(await visitor.linkOf(/^Otwórz w aplikacji/)).searchParams.get("secret") ?? "";
  await visitor.fill({ code: appCode({ secret }, Date.now()), name: "Telefon służbowy" });
  await visitor.send("Dodaj aplikację");
  await visitor.lands("/home/recovery-code");
  return { secret, recoveryCode: await shownCode(visitor) };
}

/** Adds an app from My Data. The step of its code is used up then; the next one can be used at once. */
async function addApp(visitor: JourneyVisitor, customer: RegisteredCustomer): Promise<Noted> {
  const noted = await reachShownCode(visitor, customer);
  await keepCode(visitor, noted.recoveryCode);
  await visitor.lands(/^\/cp\/profile\?factor-save-result=added/);
  return noted;
}

async function confirmBy(visitor: JourneyVisitor, code: string, button = "Potwierdź"): Promise<void> {
  await visitor.type("authorizationCode", code);
  await visitor.send(button);
}

async function askToRemove(visitor: JourneyVisitor): Promise<void> {
  await visitor.open("/cp/profile");
  await visitor.unfold("Drugi krok logowania");
  await visitor.follow(REMOVE);
  await visitor.lands(/^\/home\/remove-factor/);
}

test("an app with a recovery code is added, confirms the next sign-in without an SMS, and is removed", async ({
  visitor,
  portal,
  signedIn,
}) => {
  const noted = await addApp(visitor, signedIn);
  await visitor.reads("Telefon służbowy", FACTORS);
  await visitor.reads("Kod odzyskiwania", FACTORS);

  const messages = await portal.messagesTo(signedIn.phone);
  await visitor.signInAgain(signedIn);
  await visitor.lands("/home/mfa");
  await visitor.has("authorizationCode", "type", "text");
  await confirmBy(visitor, "000000");
  await visitor.reads(/Nieprawidłowy\skod\sz/);
  await confirmBy(visitor, nextCode(noted));
  await visitor.lands("/cp");
  expect(await portal.messagesTo(signedIn.phone)).toBe(messages);

  await askToRemove(visitor);
  await visitor.reads("Nie masz innych sposobów");
  await visitor.send("Dalej");
  await visitor.follow("Potwierdź kodem SMS");
  await visitor.offers("button", SEND, 1);
  await visitor.send(SEND);
  await confirmBy(visitor, await portal.lastCode(signedIn.phone), "Usuń aplikację");
  await visitor.lands(/factor-save-result=removed/);
  await visitor.lacks("Telefon służbowy", FACTORS);
});

test("an app added, with its recovery code left by Wstecz: My Data says both", async ({
  visitor,
  signedIn,
}) => {
  await reachShownCode(visitor, signedIn);
  await visitor.press("Wstecz");
  await visitor.lands(/factor-save-result=added/);
  await visitor.reads("Dodano aplikację z kodami.");
  await visitor.reads(UNKNOWN_WHETHER_NOTED);
});

test("a lost app: the recovery code opens the account, a new one is shown, and the app goes without a code", async ({
  visitor,
  signedIn,
}) => {
  const noted = await addApp(visitor, signedIn);
  await visitor.signInAgain(signedIn);
  await visitor.follow("Podaj kod odzyskiwania");
  await visitor.lands("/home/mfa?method=recovery");
  const typed = noted.recoveryCode.toLowerCase().replaceAll("-", " ");
  await confirmBy(visitor, `Kod odzyskiwania: „${typed}”`);
  await visitor.lands("/home/recovery-code");
  expect(await shownCode(visitor)).not.toBe(noted.recoveryCode);
  await keepCode(visitor, "", "AAAA");
  await visitor.reads("To nie są ostatnie znaki");
  await visitor.press("Wstecz");
  await visitor.lands("/cp");
  await visitor.reads("Zalogowano kodem odzyskiwania.");
  await visitor.reads(UNKNOWN_WHETHER_NOTED);

  await visitor.follow("Utwórz nowy kod odzyskiwania");
  await visitor.reads(/Do\s\d+:\d\d\snie\spoprosimy\so\skod/);
  await visitor.send("Utwórz nowy kod");
  const own = await shownCode(visitor);
  await keepCode(visitor, own, `„${own}”`);
  await visitor.lands(/factor-save-result=recovery/);
  await visitor.lacks("Nie wiemy, czy");
  // No other session is left to end.
  await visitor.offers("button", "Wyloguj inne urządzenia", 0);

  // The app is lost, so other ways come first, and each is offered at once.
  await visitor.open("/home/change-password");
  await visitor.offers("button", SEND, 1);
  await visitor.follow("Podaj kod odzyskiwania");
  await visitor.reads("Zmianę potwierdzisz kodem odzyskiwania.");
  await visitor.send("Dalej");
  await visitor.reads("Kod odzyskiwania");
  await askToRemove(visitor);
  await visitor.press("Usuń aplikację");
  await visitor.lands(/factor-save-result=removed/);
  await visitor.reads(/Usunięto\saplikację\sz/);
});

test("beside an app the SMS can confirm a sign-in, until it is switched off", async ({
  visitor,
  signedIn,
}) => {
  const noted = await addApp(visitor, signedIn);
  await visitor.follow("Wyłącz: Kod SMS");
  await visitor.send("Dalej");
  await confirmBy(visitor, nextCode(noted), "Wyłącz");
  await visitor.lands(/factor-save-result=sms/);
  await visitor.reads("Wyłączony", FACTORS);

  await visitor.signInAgain(signedIn);
  await visitor.lands("/home/mfa");
  await visitor.offers("link", "Potwierdź kodem SMS", 0);
  await visitor.open("/home/mfa?method=sms");
  await visitor.offers("button", SEND, 0);
  await visitor.reads("Kod z aplikacji");
  await visitor.open("/home/mfa?method=recovery");
  await confirmBy(visitor, noted.recoveryCode);
  await visitor.lands("/home/recovery-code");
});

test("[S161, S156] with the SMS off the app confirms a new password, and the recovery code a new username", async ({
  visitor,
  portal,
  signedIn,
}) => {
  const noted = await addApp(visitor, signedIn);
  await visitor.follow("Wyłącz: Kod SMS");
  await visitor.send("Dalej");
  await visitor.follow("Potwierdź kodem SMS");
  await visitor.offers("button", SEND, 1);
  await visitor.send(SEND);
  await confirmBy(visitor, await portal.lastCode(signedIn.phone), "Wyłącz");
  await visitor.reads("Na innych urządzeniach trzeba zalogować się ponownie");

  const messages = await portal.messagesTo(signedIn.phone);
  await visitor.open("/home/change-password");
  await visitor.reads(/Zmianę\spotwierdzisz\skodem\sz/);
  await visitor.lacks("SMS");
  await visitor.send("Dalej");
  await visitor.has("authorizationCode", "type", "text");
  await visitor.offers("link", "Potwierdź kodem SMS", 0);
  for (const code of ["000000", nextCode(noted)]) {
    await visitor.fill({
      authorizationCode: code,
      newPassword: NEW_PASSWORD,
      newPasswordRepeat: NEW_PASSWORD,
    });
    await visitor.send("Zapisz");
    if (code === "000000") await visitor.reads(/Nieprawidłowy\skod\sz/);
  }
  await visitor.lands("/cp/profile");
  await visitor.reads("Hasło zostało zmienione.");

  await visitor.open("/home/change-login");
  await visitor.send("Dalej");
  await visitor.follow("Podaj kod odzyskiwania");
  await visitor.reads("Kod odzyskiwania");
  const username = `nazwa.${signedIn.policyNo.slice(-6)}`;
  await visitor.lands(/method=recovery/);
  await visitor.fill({
    authorizationCode: noted.recoveryCode,
    newUsername: username,
    newUsernameRepeat: username,
  });
  await visitor.send("Zapisz");
  await visitor.lands("/home/recovery-code");
  await keepCode(visitor, await shownCode(visitor));
  await visitor.lands("/cp/profile");
  await visitor.reads("Nazwa użytkownika została zmieniona.");
  expect(await portal.messagesTo(signedIn.phone)).toBe(messages);
});

test("[F53] “To nie ja” shows what was added to the account, before the new password and after it", async ({
  visitor,
  signedIn,
}) => {
  const noted = await addApp(visitor, signedIn);
  await visitor.open("/cp/not-me");
  await visitor.offers("link", REMOVE, 1);
  await visitor.offers("link", "Utwórz nowy: Kod odzyskiwania", 1);
  await visitor.press("Zabezpiecz konto");
  await visitor.lands("/home/change-password");
  await visitor.send("Dalej");
  await visitor.setPassword(nextCode(noted), NEW_PASSWORD);
  await visitor.lands("/cp/profile");
  await visitor.reads("Sprawdź jeszcze, czy nikt nie dodał");
  await visitor.offers("link", REMOVE, 1);
});

test("a reset password leads to the app, not past it", async ({ visitor, portal, signedIn }) => {
  const noted = await addApp(visitor, signedIn);
  await visitor.signOut();
  await visitor.open("/home/reset-password-init");
  await visitor.type("username", signedIn.username);
  await visitor.press(SEND);
  await visitor.lands("/home/reset-password-submit");
  await visitor.setPassword(await portal.lastCode(signedIn.phone), NEW_PASSWORD);
  await visitor.lands("/home/mfa");
  await visitor.reads("Nowe hasło jest zapisane.");
  await visitor.offers("link", "Potwierdź kodem SMS", 0);
  await visitor.confirm(nextCode(noted));
  await visitor.lands("/cp");
});

test("an app begun again in another tab brings this one back to the first step", async ({
  visitor,
  portal,
  signedIn,
}) => {
  await visitor.open("/home/add-app");
  await visitor.send(SEND);
  await confirmBy(visitor, await portal.lastCode(signedIn.phone));
  await visitor.headed(/Połącz aplikację/);
  await visitor.forget(/flow$/);
  await visitor.type("code", "123456");
  await visitor.send("Dodaj aplikację");
  await visitor.lands("/home/add-app");
  await visitor.reads("Ta zmiana wygasła");
});

test("at an IP address My Data offers no passkey, and there is no page for one", async ({
  visitor,
  signedIn,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/the server responded with a status of 404/);
  expect(signedIn.username).toBeTruthy();
  await visitor.open("/cp/profile");
  await visitor.unfold("Drugi krok logowania");
  await visitor.offers("link", "Dodaj aplikację z kodami", 1);
  await visitor.offers("link", "Dodaj klucz dostępu", 0);
  await visitor.open("/home/add-passkey");
  await visitor.answered(404);
});
