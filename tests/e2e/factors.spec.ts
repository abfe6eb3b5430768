import type { Page } from "@playwright/test";
import type { RegisteredCustomer } from "../demo-customers";
import { appCode } from "../factor-steps";
import { expect, openPart, test } from "./account";
import type { Person } from "./person";

/** The notes of a customer who adds an app. */
interface Noted {
  readonly secret: string;
  readonly recoveryCode: string;
}

/** The recovery code that the page shows. */
async function shownCode(page: Page): Promise<string> {
  const shown = await page.locator("main").innerText();
  return /([A-Z2-7]{4}-){5}[A-Z2-7]{4}/.exec(shown)?.[0] ?? "";
}

/** Types the end of the recovery code, or whatever `typed` says, and goes on. */
async function keepCode(person: Person, code: string, typed = code.slice(-4).toLowerCase()): Promise<void> {
  await person.alive();
  await person.field("last").fill(typed);
  await person.send(() => person.button("Mam zapisany kod").click());
}

/** Adds an app from My Data, as far as its recovery code. */
async function reachShownCode(person: Person, page: Page, lastCode: () => Promise<string>): Promise<Noted> {
  await person.open("/cp/profile");
  await openPart(page, "Drugi krok logowania");
  await page.getByRole("link", { name: "Dodaj aplikację z kodami" }).click();
  await expect(page).toHaveURL("/home/add-app");
  await person.alive();
  await person.send(() => person.button("Wyślij kod autoryzacyjny").click());
  await person.alive();
  await person.field("authorizationCode").fill(await lastCode());
  await person.send(() => person.button("Potwierdź").click());
  await expect(person.heading).toHaveText(/Połącz aplikację z\skontem/);
  await expect(page.getByRole("img", { name: "Kod QR z kluczem do aplikacji" })).toBeVisible();
  const uri = await page.getByRole("link", { name: "Otwórz w aplikacji" }).getAttribute("href");
  const secret = new URL(uri ?? "").searchParams.get("secret") ?? "";
  await person.alive();
  await person.field("code").fill(appCode({ secret }, Date.now()));
  await person.field("name").fill("Telefon służbowy");
  await person.send(() => person.button("Dodaj aplikację").click());
  await expect(page).toHaveURL("/home/recovery-code");
  return { secret, recoveryCode: await shownCode(page) };
}

/** Adds an app from My Data. The step of its code is used up then; the next one can be used at once. */
async function addApp(person: Person, page: Page, lastCode: () => Promise<string>): Promise<Noted> {
  const noted = await reachShownCode(person, page, lastCode);
  await keepCode(person, noted.recoveryCode);
  await expect(page).toHaveURL(/^[^?]*\/cp\/profile\?factor-save-result=added/);
  return noted;
}

/** Signs out, then in again as far as the screen that asks for a code. */
async function signInAgain(person: Person, customer: RegisteredCustomer): Promise<void> {
  await person.signOut();
  await person.open("/home");
  await person.login(customer);
}

test.describe("an authenticator app", () => {
  /** The code of the next half minute, which is taken already: that of this one may have added the app. */
  const nextCode = ({ secret }: Noted) => appCode({ secret }, Date.now(), 1);

  test("is added on My Data with a recovery code, confirms the next sign-in without an SMS, and is removed", async ({
    person,
    page,
    portal,
    signedIn,
  }) => {
    const noted = await addApp(person, page, () => portal.lastCode(signedIn.phone));
    await expect(page.locator("#factors")).toContainText("Telefon służbowy");
    await expect(page.locator("#factors")).toContainText("Kod odzyskiwania");

    const messages = await portal.messagesTo(signedIn.phone);
    await signInAgain(person, signedIn);
    await expect(page).toHaveURL("/home/mfa");
    await expect(person.field("authorizationCode")).toHaveAttribute("type", "text");
    await person.alive();
    await person.field("authorizationCode").fill("000000");
    await person.send(() => person.button("Potwierdź").click());
    await expect(page.locator("main")).toContainText("Nieprawidłowy kod z");
    await person.alive();
    await person.field("authorizationCode").fill(nextCode(noted));
    await person.send(() => person.button("Potwierdź").click());
    await expect(page).toHaveURL("/cp");
    expect(await portal.messagesTo(signedIn.phone)).toBe(messages);

    await person.open("/cp/profile");
    await openPart(page, "Drugi krok logowania");
    await page.getByRole("link", { name: "Usuń : aplikacja z kodami Telefon służbowy" }).click();
    await expect(page.locator("main")).toContainText("Nie masz innych sposobów");
    await person.alive();
    await person.send(() => person.button("Dalej").click());
    await page.getByRole("link", { name: "Potwierdź kodem SMS" }).click();
    await expect(person.button("Wyślij kod autoryzacyjny")).toBeVisible();
    await person.alive();
    await person.send(() => person.button("Wyślij kod autoryzacyjny").click());
    await person.alive();
    await person.field("authorizationCode").fill(await portal.lastCode(signedIn.phone));
    await person.send(() => person.button("Usuń aplikację").click());
    await expect(page).toHaveURL(/factor-save-result=removed/);
    await expect(page.locator("#factors")).not.toContainText("Telefon służbowy");
  });

  test("added, with its recovery code left by Wstecz: My Data says both", async ({
    person,
    page,
    portal,
    signedIn,
  }) => {
    await reachShownCode(person, page, () => portal.lastCode(signedIn.phone));
    await person.alive();
    await person.send(() => person.button("Wstecz").click());
    await expect(page).toHaveURL(/factor-save-result=added/);
    await expect(page.locator("main")).toContainText("Dodano aplikację z kodami.");
    await expect(page.locator("main")).toContainText("Nie wiemy, czy masz zapisany kod odzyskiwania.");
  });

  test("lost: the recovery code opens the account, a new one is shown, and the app goes without a code", async ({
    person,
    page,
    portal,
    signedIn,
  }) => {
    const noted = await addApp(person, page, () => portal.lastCode(signedIn.phone));
    await signInAgain(person, signedIn);
    await page.getByRole("link", { name: "Podaj kod odzyskiwania" }).click();
    await person.alive();
    await person
      .field("authorizationCode")
      .fill(`Kod odzyskiwania: „${noted.recoveryCode.toLowerCase().replaceAll("-", " ")}”`);
    await person.send(() => person.button("Potwierdź").click());
    await expect(page).toHaveURL("/home/recovery-code");
    const next = await shownCode(page);
    expect(next).not.toBe(noted.recoveryCode);
    await person.alive();
    await person.field("last").fill("AAAA");
    await person.send(() => person.button("Mam zapisany kod").click());
    await expect(page.locator("main")).toContainText("To nie są ostatnie znaki");
    await person.alive();
    await person.send(() => person.button("Wstecz").click());
    await expect(page).toHaveURL("/cp");
    await expect(page.locator("main")).toContainText("Zalogowano kodem odzyskiwania.");
    await expect(page.locator("main")).toContainText("Nie wiemy, czy masz zapisany kod odzyskiwania.");

    await page.getByRole("link", { name: "Utwórz nowy kod odzyskiwania" }).click();
    await expect(page.locator("main")).toContainText(/Do\s\d+:\d\d nie poprosimy o\skod/);
    await person.alive();
    await person.send(() => person.button("Utwórz nowy kod").click());
    const own = await shownCode(page);
    await keepCode(person, own, `„${own}”`);
    await expect(page).toHaveURL(/factor-save-result=recovery/);
    await expect(page.locator("main")).not.toContainText("Nie wiemy, czy");
    // No other session is left to end.
    await expect(person.button("Wyloguj inne urządzenia")).toHaveCount(0);

    // The app is lost, so other ways come first, and each is offered at once.
    await person.open("/home/change-password");
    await expect(person.button("Wyślij kod autoryzacyjny")).toBeVisible();
    await page.getByRole("link", { name: "Podaj kod odzyskiwania" }).click();
    await expect(page.locator("main")).toContainText("Zmianę potwierdzisz kodem odzyskiwania.");
    await person.alive();
    await person.send(() => person.button("Dalej").click());
    await expect(page.getByLabel("Kod odzyskiwania")).toBeVisible();
    await person.open("/cp/profile");
    await openPart(page, "Drugi krok logowania");
    await page.getByRole("link", { name: "Usuń : aplikacja z kodami Telefon służbowy" }).click();
    await person.alive();
    await person.send(() => person.button("Usuń aplikację").click());
    await expect(page).toHaveURL(/factor-save-result=removed/);
    await expect(page.locator("main")).toContainText("Usunięto aplikację z");
  });

  test("beside it the SMS can confirm a sign-in, until it is switched off", async ({
    person,
    page,
    portal,
    signedIn,
  }) => {
    const noted = await addApp(person, page, () => portal.lastCode(signedIn.phone));
    await page.getByRole("link", { name: "Wyłącz : Kod SMS" }).click();
    await person.alive();
    await person.send(() => person.button("Dalej").click());
    await person.alive();
    await person.field("authorizationCode").fill(nextCode(noted));
    await person.send(() => person.button("Wyłącz").click());
    await expect(page).toHaveURL(/factor-save-result=sms/);
    await expect(page.locator("#factors")).toContainText("Wyłączony");

    await signInAgain(person, signedIn);
    await expect(page).toHaveURL("/home/mfa");
    await expect(page.getByRole("link", { name: "Potwierdź kodem SMS" })).toHaveCount(0);
    await person.open("/home/mfa?method=sms");
    await expect(person.button("Wyślij kod autoryzacyjny")).toHaveCount(0);
    await expect(page.getByLabel("Kod z aplikacji", { exact: true })).toBeVisible();
    await person.open("/home/mfa?method=recovery");
    await person.field("authorizationCode").fill(noted.recoveryCode);
    await person.send(() => person.button("Potwierdź").click());
    await expect(page).toHaveURL("/home/recovery-code");
  });

  test("[S161, S156] with the SMS off the app confirms a new password, and the recovery code a new username", async ({
    person,
    page,
    portal,
    signedIn,
  }) => {
    const noted = await addApp(person, page, () => portal.lastCode(signedIn.phone));
    await page.getByRole("link", { name: "Wyłącz : Kod SMS" }).click();
    await person.alive();
    await person.send(() => person.button("Dalej").click());
    await page.getByRole("link", { name: "Potwierdź kodem SMS" }).click();
    await person.alive();
    await person.send(() => person.button("Wyślij kod autoryzacyjny").click());
    await person.alive();
    await person.field("authorizationCode").fill(await portal.lastCode(signedIn.phone));
    await person.send(() => person.button("Wyłącz").click());
    await expect(page.locator("main")).toContainText("Na innych urządzeniach trzeba zalogować się ponownie");

    const messages = await portal.messagesTo(signedIn.phone);
    await person.open("/home/change-password");
    await expect(page.locator("main")).toContainText("Zmianę potwierdzisz kodem z");
    await expect(page.locator("main")).not.toContainText("SMS");
    await person.alive();
    await person.send(() => person.button("Dalej").click());
    await expect(person.field("authorizationCode")).toHaveAttribute("type", "text");
    await expect(page.getByRole("link", { name: "Potwierdź kodem SMS" })).toHaveCount(0);
    const password = "Nowe-Haslo-2026";
    for (const code of ["000000", nextCode(noted)]) {
      await person.alive();
      await person.field("authorizationCode").fill(code);
      await person.field("newPassword").fill(password);
      await person.field("newPasswordRepeat").fill(password);
      await person.send(() => person.button("Zapisz").click());
      if (code === "000000") await expect(page.locator("main")).toContainText("Nieprawidłowy kod z");
    }
    await expect(page).toHaveURL("/cp/profile");
    await expect(page.locator("main")).toContainText("Hasło zostało zmienione.");

    await person.open("/home/change-login");
    await person.alive();
    await person.send(() => person.button("Dalej").click());
    await page.getByRole("link", { name: "Podaj kod odzyskiwania" }).click();
    await person.alive();
    await person.field("authorizationCode").fill(noted.recoveryCode);
    const username = `nazwa.${signedIn.policyNo.slice(-6)}`;
    await person.field("newUsername").fill(username);
    await person.field("newUsernameRepeat").fill(username);
    await person.send(() => person.button("Zapisz").click());
    await expect(page).toHaveURL("/home/recovery-code");
    await keepCode(person, await shownCode(page));
    await expect(page).toHaveURL("/cp/profile");
    await expect(page.locator("main")).toContainText("Nazwa użytkownika została zmieniona.");
    expect(await portal.messagesTo(signedIn.phone)).toBe(messages);
  });

  test("[F53] “To nie ja” shows what was added to the account, before the new password and after it", async ({
    person,
    page,
    portal,
    signedIn,
  }) => {
    const noted = await addApp(person, page, () => portal.lastCode(signedIn.phone));
    await person.open("/cp/not-me");
    await expect(
      page.getByRole("link", { name: "Usuń : aplikacja z kodami Telefon służbowy" }),
    ).toBeVisible();
    await expect(page.getByRole("link", { name: "Utwórz nowy : Kod odzyskiwania" })).toBeVisible();
    await person.alive();
    await person.send(() => person.button("Zabezpiecz konto").click());
    await expect(page).toHaveURL("/home/change-password");
    await person.alive();
    await person.send(() => person.button("Dalej").click());
    await person.alive();
    await person.field("authorizationCode").fill(nextCode(noted));
    await person.field("newPassword").fill("Nowe-Haslo-2026");
    await person.field("newPasswordRepeat").fill("Nowe-Haslo-2026");
    await person.send(() => person.button("Zapisz").click());
    await expect(page).toHaveURL("/cp/profile");
    await expect(page.locator("main")).toContainText("Sprawdź jeszcze, czy nikt nie dodał");
    await expect(
      page.getByRole("link", { name: "Usuń : aplikacja z kodami Telefon służbowy" }),
    ).toBeVisible();
  });

  test("a reset password leads to the app, not past it", async ({ person, page, portal, signedIn }) => {
    const noted = await addApp(person, page, () => portal.lastCode(signedIn.phone));
    await person.signOut();
    await person.open("/home/reset-password-init");
    await person.field("username").fill(signedIn.username);
    await person.button("Wyślij kod autoryzacyjny").click();
    await expect(page).toHaveURL("/home/reset-password-submit");
    await person.alive();
    await person.field("authorizationCode").fill(await portal.lastCode(signedIn.phone));
    await person.field("newPassword").fill("Nowe-Haslo-2026");
    await person.field("newPasswordRepeat").fill("Nowe-Haslo-2026");
    await person.send(() => person.button("Zapisz").click());
    await expect(page).toHaveURL("/home/mfa");
    await expect(page.locator("main")).toContainText("Nowe hasło jest zapisane.");
    await expect(page.getByRole("link", { name: "Potwierdź kodem SMS" })).toHaveCount(0);
    await person.alive();
    await person.field("authorizationCode").fill(nextCode(noted));
    await person.send(() => person.button("Potwierdź").click());
    await expect(page).toHaveURL("/cp");
  });

  test("begun again in another tab brings this one back to the first step", async ({
    person,
    page,
    context,
    portal,
    signedIn,
  }) => {
    await person.open("/home/add-app");
    await person.send(() => person.button("Wyślij kod autoryzacyjny").click());
    await person.alive();
    await person.field("authorizationCode").fill(await portal.lastCode(signedIn.phone));
    await person.send(() => person.button("Potwierdź").click());
    await expect(person.heading).toHaveText(/Połącz aplikację/);
    await person.alive();
    await context.clearCookies({ name: /flow$/ });
    await person.field("code").fill("123456");
    await person.send(() => person.button("Dodaj aplikację").click());
    await expect(page).toHaveURL("/home/add-app");
    await expect(page.locator("main")).toContainText("Ta zmiana wygasła");
  });
});
