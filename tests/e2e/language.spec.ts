import { ANNA } from "../demo-customers";
import { expect, test } from "./account";

test("a visitor who doesn't read Polish chooses English first and signs in; Polish is as easy to reach", async ({
  person,
  page,
  portal,
}) => {
  const html = page.locator("html");
  const choose = async (name: string) => {
    await page.getByRole("contentinfo").getByRole("link", { name, exact: true }).click();
  };
  await person.open("/home/cookies");
  await expect(html).toHaveAttribute("lang", "pl");
  await choose("English");
  await expect(person.heading).toHaveText("Before you continue");
  await expect(page).toHaveURL("/home/cookies");
  await expect(page).toHaveTitle("Cookies – Customer sign-in | Tarnea Ubezpieczenia");
  await expect(html).toHaveAttribute("lang", "en");
  await person.alive();
  await person.button("Accept and continue").click();
  await expect(page).toHaveURL("/home");
  await person.alive();

  await expect(person.heading).toHaveText("Sign in");
  await person.field("username").fill(ANNA.username);
  await person.field("password").fill("Zle-Haslo-2026!");
  await person.sendRefused(() => person.button("Sign in").click());
  await expect(person.alert).toContainText("Incorrect username or password.");
  await expect(page).toHaveTitle("Error: Customer sign-in | Tarnea Ubezpieczenia");
  await person.field("password").fill(ANNA.password);
  await person.button("Sign in").click();

  await expect(page).toHaveURL("/home/mfa");
  await expect(person.heading).toHaveText("Confirm that it is you");
  await person.alive();
  const code = await portal.lastCode(ANNA.phone);
  // Changing the language midway loses nothing: the code that was sent still works.
  await choose("Polski");
  await expect(person.heading).toHaveText("Potwierdź, że to Ty");
  await choose("English");
  await expect(person.heading).toHaveText("Confirm that it is you");
  await person.alive();
  await person.field("authorizationCode").fill(code);
  await person.button("Confirm").click();

  await expect(page).toHaveURL("/cp");
  await expect(person.heading).toHaveText("My policies");
  await expect(page.getByRole("banner").getByText(`Signed in as ${ANNA.name}`)).toBeVisible();
  await choose("Polski");
  await expect(person.heading).toHaveText("Moje polisy");
  await expect(page).toHaveURL("/cp");
  await expect(html).toHaveAttribute("lang", "pl");
  await person.alive();
  await person.signOut();
  await expect(person.heading).toHaveText("Wylogowano z portalu");
});

test("[F17] registration in another language says that the identifier must be typed again, if it is lost", async ({
  person,
  page,
  newcomer,
}) => {
  const again = page.getByText("please enter it again");
  const main = page.locator("main");
  await person.arrive();
  await person.open("/home/register");
  await person.field("policyNo").fill(newcomer.policyNo);
  await person.field("pid").fill(newcomer.pid);
  await page.getByRole("contentinfo").getByRole("link", { name: "English", exact: true }).click();
  await expect(again).toBeVisible();
  await expect(person.field("pid")).toHaveValue("");
  await person.alive();
  await person.field("policyNo").fill(newcomer.policyNo);
  await person.field("pid").fill(newcomer.pid);
  await person.button("Send authorisation code").click();
  await expect(page).toHaveURL("/home/set-password");
  await person.alive();

  await main.getByRole("link", { name: "Correct" }).click();
  await expect(page).toHaveURL("/home/register");
  await person.alive();
  await page.getByRole("contentinfo").getByRole("link", { name: "Polski", exact: true }).click();
  await expect(person.heading).toHaveText("Załóż konto w portalu");
  await expect(main).not.toContainText("wpisz go jeszcze raz");
  await expect(person.field("pid")).toHaveValue(newcomer.pid);
});
