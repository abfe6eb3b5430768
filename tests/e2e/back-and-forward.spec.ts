import { ANNA, JAN } from "../demo-customers";
import { FIRST_PASSWORD } from "../new-account";
import { expect, test } from "./account";

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

test("[S37, S55] after signing out, the back button shows no customer data", async ({ person, page }) => {
  await person.signIn(ANNA);
  await person.open("/cp/profile");
  await person.signOut();
  for (let step = 0; step < 2; step += 1) {
    await page.goBack();
    // The answer is in, so nothing else can appear.
    await expect(person.heading).toHaveText("Zaloguj się");
    await expect(page.getByText(ANNA.policyNo)).toHaveCount(0);
    await expect(page.getByText(ANNA.name)).toHaveCount(0);
  }
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

test("reload, back and forward: the journey is where it was, and nothing is sent again", async ({
  person,
  page,
  portal,
  newcomer,
}) => {
  await person.arrive();
  await person.follow("Zarejestruj się");
  await person.lands("/home/register");
  await person.fill({ policyNo: newcomer.policyNo, pid: newcomer.pid });
  await person.press("Wyślij kod autoryzacyjny");
  await person.lands("/home/set-password");
  await page.reload();
  await person.alive();
  await page.goBack();
  await expect(page).toHaveURL("/home/register");
  await page.goForward();
  await expect(page).toHaveURL("/home/set-password");
  await person.alive();
  await person.setPassword(await portal.lastCode(newcomer.phone), FIRST_PASSWORD);
  await expect(page).toHaveURL("/home/confirm-login");
  expect(await portal.messagesTo(newcomer.phone)).toBe(1);
  // A finished journey does not open again.
  await page.goBack();
  await expect(page).toHaveURL("/cp");
  await expect(person.heading).toHaveText("Moje polisy");
});
