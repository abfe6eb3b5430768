import { ANNA, JAN } from "../../demo-customers";
import { expect, test } from "../account";

test("[C-02, C-07] errors found in the browser are summed up like the server's: alert, title, focus, links", async ({
  person,
  page,
  standAt,
}) => {
  await standAt("set-password");
  await person.field("authorizationCode").fill("12a456");
  await person.field("newPassword").fill("za krótkie");
  const posts = await person.countPosts(async () => {
    await person.button("Zapisz").click();
    await expect(person.alert).toBeFocused();
  });
  expect(posts).toBe(0);
  await expect(person.alert.getByRole("heading")).toHaveText("Popraw 3 błędy");
  await expect(person.alert.getByRole("link")).toHaveText([
    "Kod autoryzacyjny: wpisz same cyfry.",
    "Nowe hasło: wpisz od 12 do 50 znaków.",
    "Powtórz nowe hasło: pole nie może być puste.",
  ]);
  await expect(page).toHaveTitle(/^Błąd: Ustawienie hasła – /);
  await person.alert.getByRole("link").last().click();
  await expect(person.field("newPasswordRepeat")).toBeFocused();

  await person.field("authorizationCode").fill("123456");
  await person.button("Zapisz").click();
  await expect(person.alert).toBeFocused();
  await expect(person.alert.getByRole("heading")).toHaveText("Popraw 2 błędy");
});

test("[F24] a single error found in the browser is one sentence, like the server's; its link fills no history", async ({
  person,
  page,
}) => {
  await person.arrive();
  const pages = () => page.evaluate(() => history.length);
  const before = await pages();
  await person.field("username").fill("anna.nowak");
  const posts = await person.countPosts(async () => {
    await person.button("Zaloguj się").click();
    await expect(person.alert).toBeFocused();
  });
  expect(posts).toBe(0);
  await expect(person.alert).toHaveText("Błąd: Hasło: pole nie może być puste.");
  await expect(person.alert).toHaveAccessibleName("Błąd: Hasło: pole nie może być puste.");
  await person.alert.getByRole("link").click();
  await expect(person.field("password")).toBeFocused();
  expect([await pages(), new URL(page.url()).hash]).toEqual([before, ""]);
});

test("[F24] the summary goes once its fields are clean, and none is left above a lost connection", async ({
  person,
  page,
  context,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/net::ERR_/);
  await person.arrive();
  await person.button("Zaloguj się").click();
  await expect(person.alert).toContainText("Popraw 2 błędy");
  await person.field("username").fill(ANNA.username);
  await expect(person.alert).toContainText("Popraw 2 błędy");
  await person.field("password").fill(ANNA.password);
  await expect(person.alert).toHaveCount(0);
  await expect(page).toHaveTitle(/^(?!Błąd)/);

  await person.field("password").fill("");
  await person.button("Zaloguj się").click();
  await expect(person.alert).toContainText("Hasło");
  // As a password manager may: without an event.
  await person.field("password").evaluate((field, value) => {
    if (field instanceof HTMLInputElement) field.value = value;
  }, ANNA.password);
  await context.setOffline(true);
  await person.button("Zaloguj się").click();
  await expect(person.alert).toHaveCount(1);
  await expect(person.alert).toContainText("Nie ma połączenia z portalem");
  await expect(page.locator("main [aria-invalid]")).toHaveCount(0);
});

test("[C-02, C-07] the browser's summary gives way to the next screen and to the server's answer", async ({
  person,
  page,
}) => {
  await person.arrive();
  await person.button("Zaloguj się").click();
  await expect(person.alert.getByRole("heading")).toHaveText("Popraw 2 błędy");
  await person.sendRefused(() => person.login({ username: ANNA.username, password: "Inne-Haslo-2026" }));
  await expect(person.alert).toHaveAccessibleName(/Nieprawidłow/);
  await expect(person.alert.getByRole("link")).toHaveCount(0);
  for (const field of ["username", "password"]) await person.field(field).fill("");
  await person.button("Zaloguj się").click();
  await expect(person.alert.getByRole("heading")).toHaveText("Popraw 2 błędy");
  await expect(page).toHaveTitle(/^Błąd: /);
  await page.getByRole("link", { name: "Nie pamiętam hasła" }).click();
  await expect(page).toHaveURL("/home/reset-password-init");
  await expect(page).toHaveTitle(/^(?!Błąd)/);
  await expect(person.alert).toHaveCount(0);
});

test("[F19] a refused name sent again is refused in the same words, without asking the server", async ({
  person,
  standAt,
}) => {
  await person.field("authorizationCode").fill(await standAt("change-login"));
  for (const field of ["newUsername", "newUsernameRepeat"]) await person.field(field).fill(ANNA.username);
  await person.sendRefused(() => person.button("Zapisz").click());
  const words = await person.alert.innerText();
  expect(words).toContain("Ta nazwa jest już zajęta");
  const posts = await person.countPosts(async () => {
    await person.field("newUsername").press("Enter");
    await expect(person.alert).toBeFocused();
  });
  expect([posts, await person.alert.innerText()]).toEqual([0, words]);
});

test("[C-05, C-08] leaving a field shows its error beside it and moves nothing; going to its button doesn't", async ({
  person,
  page,
}) => {
  await person.reachCode(JAN);
  const field = person.field("authorizationCode");
  const live = page
    .locator("[data-field]", { has: page.locator("[name=authorizationCode]") })
    .locator("[aria-live=polite]");
  await expect(live).toBeEmpty();
  // On to the field's own button.
  await field.focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^Pokaż znaki/ })).toBeFocused();
  await expect(field).not.toHaveAttribute("aria-invalid");
  await field.focus();
  // The check runs within the event that leaves the field.
  await field.blur();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill("12a");
  await page.keyboard.press("Tab");
  await expect(live).toHaveText("Błąd: Wpisz same cyfry.");
  await expect(field).toHaveAttribute(
    "aria-describedby",
    "sign-in-code-authorizationCode-error sign-in-code-authorizationCode-hint",
  );
  await expect(field).not.toBeFocused();
  await expect(person.alert).toHaveCount(0);
  await expect(page).toHaveTitle(/^(?!Błąd)/);
});

test("§5 username, password, policy number and identifier may be left empty until they are sent", async ({
  person,
}) => {
  await person.arrive();
  for (const name of ["username", "password"]) {
    await person.field(name).focus();
    await person.field(name).blur();
  }
  await expect(person.page.locator("main [aria-invalid]")).toHaveCount(0);
  await person.open("/home/register");
  for (const name of ["policyNo", "pid"]) {
    await person.field(name).focus();
    await person.field(name).blur();
  }
  await expect(person.page.locator("main [aria-invalid]")).toHaveCount(0);
});

test("[C-20] Esc closes an explanation from inside and returns the focus to the words that opened it", async ({
  person,
  page,
}) => {
  await person.arrive();
  const explanation = page.locator("main details").first();
  await explanation.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(explanation).toHaveAttribute("open", "");
  await page.keyboard.press("Escape");
  await expect(explanation).not.toHaveAttribute("open");
  await expect(explanation.locator("summary")).toBeFocused();
});

test("[C-12, C-13, F19] each password condition says in words whether it is met, and what is missing is announced once", async ({
  person,
  page,
  standAt,
}) => {
  await standAt("set-password");
  const field = person.field("newPassword");
  await expect(field).toHaveAttribute("aria-describedby", "new-password-rules");
  await field.pressSequentially("abcdefghijk1");
  await expect(page.locator("#new-password-rules li")).toHaveText([
    /– spełnione$/,
    /– niespełnione$/,
    /– spełnione$/,
    /– niespełnione$/,
  ]);
  await expect(page.locator("#new-password-rules svg:not([aria-hidden=true])")).toHaveCount(0);
  const status = page.getByRole("status").filter({ hasText: "Popraw jeszcze:" });
  await expect(status).toHaveText("Popraw jeszcze: wielka litera, znak specjalny.");
  await expect(status).not.toContainText("abcdefghijk1");
});
