import { ANNA, EWA, JAN, MARIA, PIOTR, TOMASZ } from "../demo-customers";
import { startPortal, wrongCode } from "../portal";
import { expect, test } from "./fixtures";
import { Person } from "./person";

test("without username and password, nothing is sent", async ({ person, page }) => {
  await person.arrive();
  const posts = await person.countPosts(async () => {
    await person.button("Zaloguj się").click();
    await person.field("username").fill(ANNA.username);
    await person.button("Zaloguj się").click();
    // An earlier request would be counted by the time this one is answered.
    await person.login(ANNA);
    await expect(page).toHaveURL("/home/mfa");
  });
  expect(posts).toBe(1);
});

test("a field with only spaces is reported at the field", async ({ person }) => {
  await person.arrive();
  await person.login({ username: "   ", password: "Haslo-Ktore-Jest-1" });
  await expect(person.field("username")).toHaveAttribute("aria-invalid", "true");
  await expect(person.field("username")).toHaveAccessibleDescription(/Pole nie może być puste\./);
});

test("101: a banner, both fields invalid, the username kept, the password not", async ({ person, page }) => {
  await person.arrive();
  await person.login({ username: "nie.ma.takiej", password: "Zle-Haslo-2026!" });
  await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło.");
  await expect(page).toHaveTitle("Błąd: Logowanie klienta | Tarnea Ubezpieczenia");
  for (const name of ["username", "password"]) {
    await expect(person.field(name)).toHaveAttribute("aria-invalid", "true");
    await expect(person.field(name)).toHaveAccessibleDescription(
      /Nieprawidłowa nazwa użytkownika lub hasło\./,
    );
  }
  await expect(person.field("username")).toHaveValue("nie.ma.takiej");
  await expect(person.field("password")).toHaveValue(person.secretAfterRefusal("Zle-Haslo-2026!"));
  expect(await page.content()).not.toContain("Zle-Haslo-2026!");

  await person.login(JAN);
  await expect(page).toHaveURL("/home/mfa");
});

const MODALS = [
  { code: "105", customer: TOMASZ, header: "Konto wygasło" },
  { code: "106", customer: MARIA, header: "Konto zablokowane" },
  { code: "108", customer: EWA, header: "Konto wyłączone" },
];
for (const { code, customer, header } of MODALS) {
  test(`${code}: a dialog before everything else, with the helpline; OK leads to the start page, signed out`, async ({
    person,
    page,
    context,
  }) => {
    await person.arrive();
    await person.login(customer);
    const dialog = page.getByRole("dialog", { name: header });
    await expect(dialog).toBeVisible();
    await expect(page.locator("main").locator("dialog, form, h1, p").first()).toHaveRole("dialog");
    await expect(dialog).toContainText("22\u00a0100\u00a020\u00a030");
    await expect(person.field("username")).toHaveValue(customer.username);
    await expect(person.field("password")).toHaveValue(person.secretAfterRefusal(customer.password));
    await expect(page).toHaveTitle(/^Błąd: /);
    await dialog.getByText("OK", { exact: true }).click();
    await expect(page).toHaveURL("/home");
    await expect(dialog).toBeHidden();
    expect((await context.cookies()).map(({ name }) => name)).not.toContain("session");
  });
}

test("[S124] [F38] [F47] 106 at the fifth wrong password: the fourth warns; a dialog says what helps", async ({
  person,
  page,
}) => {
  const nobody = "nikt.zamkniety";
  await person.arrive();
  for (let nth = 1; nth <= 4; nth += 1) {
    await person.sendRefused(() => person.login({ username: nobody, password: `Zle-Haslo-${nth}!` }));
    await expect(person.alert).toContainText(nth === 4 ? "Została Ci jedna próba." : "Caps Lock");
  }
  await person.login({ username: nobody, password: "Zle-Haslo-5!" });
  const dialog = page.getByRole("dialog", { name: "Konto zablokowane" });
  await expect(dialog).toContainText(/Spróbuj ponownie za 1[45]\sminut/);
  await expect(dialog.getByRole("link", { name: "800 100 200" })).toHaveAttribute("href", "tel:+48800100200");
  await dialog.getByRole("link", { name: "Ustaw nowe hasło" }).click();
  await expect(page).toHaveURL("/home/reset-password-init");
  await expect(person.field("username")).toHaveValue(nobody);
});

test("016: the fifth wrong code opens a dialog; the new code it sends works", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(PIOTR);
  const code = await portal.lastCode(PIOTR.phone);
  const messages = await portal.messagesTo(PIOTR.phone);
  for (let nth = 1; nth <= 4; nth += 1) {
    await person.sendRefused(() => person.confirm(wrongCode(code, nth)));
    await expect(person.refusal).toContainText("Nieprawidłowy kod autoryzacyjny.");
  }
  await person.confirm(wrongCode(code, 5));
  const dialog = page.getByRole("dialog", { name: "Kod autoryzacyjny zablokowany" });
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Wyślij nowy kod" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Wysłaliśmy nowy SMS o")).toBeVisible();
  expect(await portal.messagesTo(PIOTR.phone)).toBe(messages + 1);
  await person.alive();
  await person.confirm(await portal.lastCode(PIOTR.phone));
  await expect(page).toHaveURL("/cp");
});

test("016 can be cancelled: the screen stays, and the code stays blocked", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(PIOTR);
  const code = await portal.lastCode(PIOTR.phone);
  for (let nth = 1; nth <= 5; nth += 1) {
    // The last refusal is still shown while the next code is being checked, so wait for the answer itself.
    await person.send(() => person.confirm(wrongCode(code, nth)));
    await expect(
      page
        .locator("main")
        .getByText(/Nieprawidłowy kod|zablokowany/)
        .first(),
    ).toBeVisible();
  }
  const dialog = page.getByRole("dialog", { name: "Kod autoryzacyjny zablokowany" });
  await dialog.getByRole("link", { name: "Anuluj" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL("/home/mfa");
  await person.alive();
  await person.confirm(code);
  await expect(dialog).toBeVisible();
});

test("429: a visitor who tries too often is told how many minutes to wait, and the username is kept", async ({
  page,
  javaScriptEnabled,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/the server responded with a status of 429/);
  const portal = await startPortal({ env: { LIMIT_ADDRESS_SIGN_INS_PER_10_MINUTES: "1" } });
  const person = new Person(page, portal, javaScriptEnabled);
  await page.goto(`${portal.origin}/home/cookies`);
  await person.button("Akceptuję i przechodzę dalej").click();
  await person.alive();
  await person.login({ username: "kto.inny", password: "Zle-Haslo-1!" });
  await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika");
  await person.login(ANNA);
  await expect(person.alert).toContainText(/Zbyt wiele prób\. Spróbuj ponownie za \d+\sminut/);
  await expect(person.field("username")).toHaveValue(ANNA.username);
  await expect(person.field("password")).toHaveValue(person.secretAfterRefusal(ANNA.password));
  await portal.stop();
});
