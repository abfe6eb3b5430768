import { ANNA, JAN } from "../demo-customers";
import { expect, test } from "./fixtures";

/** The number that helps at any hour. */
const ALWAYS = "22\u00a0100\u00a020\u00a099";

test("reload and the browser's back button at each step: no error page, no second message", async ({
  person,
  page,
  portal,
}) => {
  await person.arrive();
  const messages = await portal.messagesTo(ANNA.phone);
  await page.reload();
  await expect(person.heading).toHaveText("Zaloguj się");
  await person.alive();
  await person.login(ANNA);
  await expect(page).toHaveURL("/home/mfa");
  await page.reload();
  await expect(person.heading).toHaveText("Potwierdź, że to Ty");
  await page.goBack();
  await expect(page).toHaveURL("/home/mfa");
  await expect(person.heading).toHaveText("Potwierdź, że to Ty");
  await person.open("/home");
  await expect(page).toHaveURL("/home/mfa");
  expect(await portal.messagesTo(ANNA.phone)).toBe(messages + 1);

  await person.confirm(await portal.lastCode(ANNA.phone));
  await expect(page).toHaveURL("/cp");
  await page.reload();
  await expect(person.heading).toHaveText("Moje polisy");
  await page.goBack();
  await expect(page).toHaveURL("/cp");
  await expect(person.heading).toHaveText("Moje polisy");
  expect(await portal.messagesTo(ANNA.phone)).toBe(messages + 1);
});

test("reloading a refused form shows the same page again, no error page", async ({ person, page }) => {
  await person.arrive();
  await person.login({ username: "nie.ma.go", password: "Zle-Haslo-1!" });
  await expect(person.refusal).toBeVisible();
  await page.reload();
  await expect(person.heading).toHaveText("Zaloguj się");
  // With scripts the refusal was shown in place, so Back leads to the page before the form.
  await page.goBack();
  await expect(person.heading).toHaveText(/^(Zaloguj się|Zanim przejdziesz dalej)$/);
});

test("[S37, S55] after signing out, the back button shows no customer data", async ({ person, page }) => {
  await person.signIn(ANNA);
  await person.open("/cp/profile");
  await person.signOut();
  for (let step = 0; step < 3; step += 1) {
    await page.goBack();
    // The answer is in, so nothing else can appear.
    await expect(person.heading).toHaveText("Zaloguj się");
    await expect(page.getByText(ANNA.policyNo)).toHaveCount(0);
    await expect(page.getByText(ANNA.name)).toHaveCount(0);
  }
});

test("a session that ended elsewhere: the next click leads to the start page", async ({
  person,
  page,
  context,
}) => {
  await person.signIn(JAN);
  await context.request.post("/home/logout", { form: {} });
  await page.getByRole("link", { name: "Moje dane" }).click();
  await expect(page).toHaveURL("/home");
  await expect(page.getByText(JAN.name)).toHaveCount(0);
});

test("[S37] another site's link to /home/logout signs nobody out and offers a button that does", async ({
  person,
  page,
  portal,
}) => {
  await person.signIn(JAN);
  await page.route("http://elsewhere.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<a href="${portal.origin}/home/logout">link</a>` }),
  );
  await page.goto("http://elsewhere.example/");
  await page.getByRole("link").click();
  await expect(person.heading).toHaveText("Czy chcesz się wylogować?");
  await person.open("/cp");
  await expect(person.heading).toHaveText("Moje polisy");

  await page.goto("http://elsewhere.example/");
  await page.getByRole("link").click();
  await person.alive();
  await person.button("Wyloguj się").click();
  await expect(page).toHaveURL("/home/logout");
  await expect(person.heading).toHaveText("Wylogowano z portalu");
});

test("[F52] the error page gives a reference number, a mistyped address none; both show a way on", async ({
  person,
  page,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/the server responded with a status of 404/);
  await person.arrive();
  await person.open("/service");
  await expect(page).toHaveTitle("Błąd: Coś poszło nie tak – Logowanie klienta | Tarnea Ubezpieczenia");
  await expect(page.getByRole("main").getByRole("link", { name: ALWAYS })).toBeVisible();
  await expect(page.getByText(/Numer błędu: [\w-]{8,}/)).toBeVisible();
  await page.getByRole("link", { name: "Przejdź do logowania" }).click();
  await expect(page).toHaveURL("/home");

  await person.open("/nie-ma-takiej-strony");
  await expect(page).toHaveTitle("Błąd: Nie ma takiej strony – Logowanie klienta | Tarnea Ubezpieczenia");
  await expect(person.heading).toHaveText("Nie ma takiej strony");
  await expect(page.getByRole("contentinfo").getByRole("link", { name: ALWAYS })).toBeVisible();
  await expect(page.getByText("Numer błędu")).toHaveCount(0);
  await page.getByRole("link", { name: "Przejdź do portalu" }).click();
  await expect(page).toHaveURL("/home");
});
