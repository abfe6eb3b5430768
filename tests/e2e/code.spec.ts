import { ANNA, JAN, PIOTR } from "../demo-customers";
import { wrongCode } from "../portal";
import { expect, test } from "./fixtures";

test("a resent code replaces the first, and the choice to trust survives it", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(ANNA);
  const first = await portal.lastCode(ANNA.phone);
  await page.getByRole("switch").uncheck();
  await person.resendCode(ANNA.phone);
  await expect(page.getByRole("switch")).not.toBeChecked();

  await person.confirm(first);
  await expect(person.refusal).toContainText("Nieprawidłowy kod");
  await person.confirm(await portal.lastCode(ANNA.phone));
  await expect(page).toHaveURL("/cp");
  await person.open("/cp/profile");
  await expect(page.locator("main")).toContainText("Zaufane urządzenia");
  await person.signOut();
  await person.open("/home");
  await person.login(ANNA);
  await expect(page).toHaveURL("/home/mfa");
});

test("[F31] a code sent again begins with an empty field, which has the focus", async ({ person, page }) => {
  await person.reachCode(ANNA);
  const field = person.field("authorizationCode");
  await field.fill("12");
  await person.resendCode(ANNA.phone);
  await expect(field).toHaveValue("");
  await expect(field).toBeFocused();
  await page.keyboard.type("34");
  await expect(field).toHaveValue("34");
});

test("the choice to trust survives a wrong code", async ({ person, page, portal }) => {
  await person.reachCode(JAN);
  const code = await portal.lastCode(JAN.phone);
  await page.getByRole("switch").uncheck();
  await person.sendRefused(() => person.confirm(wrongCode(code)));
  await expect(person.refusal).toBeVisible();
  await expect(page.getByRole("switch")).not.toBeChecked();
  await page.getByRole("switch").check();
  await person.sendRefused(() => person.confirm(wrongCode(code, 2)));
  await expect(person.refusal).toBeVisible();
  await expect(page.getByRole("switch")).toBeChecked();
});

test("'Wstecz' drops the session, and the code no longer works", async ({ person, page, context }) => {
  await person.reachCode(PIOTR);
  await person.button("Wstecz").click();
  await expect(page).toHaveURL("/home");
  expect((await context.cookies()).map(({ name }) => name)).not.toContain("session");
  await person.open("/home/mfa");
  await expect(page).toHaveURL("/home");
});

test("a double click on 'Zaloguj się' sends one message and leads to the code", async ({
  person,
  page,
  portal,
}) => {
  await person.arrive();
  const messages = await portal.messagesTo(JAN.phone);
  await person.field("username").fill(JAN.username);
  await person.field("password").fill(JAN.password);
  await person.button("Zaloguj się").dblclick();
  await expect(page).toHaveURL("/home/mfa");
  await person.alive();
  await person.confirm(await portal.lastCode(JAN.phone));
  await expect(page).toHaveURL("/cp");
  expect(await portal.messagesTo(JAN.phone)).toBe(messages + 1);
});

test("a double click on 'Potwierdź' signs in", async ({ person, page, portal }) => {
  await person.reachCode(JAN);
  await person.field("authorizationCode").fill(await portal.lastCode(JAN.phone));
  await person.button("Potwierdź").dblclick();
  await expect(page).toHaveURL("/cp");
  await expect(person.heading).toHaveText("Moje polisy");
  await person.open("/cp/profile");
  await expect(page).toHaveURL("/cp/profile");
});

test("[F30] a code with letters or digits missing costs no try; one with a dash is right", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(JAN);
  const code = await portal.lastCode(JAN.phone);
  for (let nth = 1; nth <= 3; nth += 1) {
    await person.confirm(`12ab5${nth}`);
    await expect(person.refusal).toContainText("Wpisz same cyfry.");
    await person.confirm(code.slice(0, nth));
    await expect(person.refusal).toContainText("Wpisz 6 cyfr.");
  }
  await person.confirm(`${code.slice(0, 3)}-${code.slice(3)}`);
  await expect(page).toHaveURL("/cp");
});
