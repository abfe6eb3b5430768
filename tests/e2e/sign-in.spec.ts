import type { Page } from "@playwright/test";
import { ANNA, PIOTR } from "../demo-customers";
import { expect, test } from "./fixtures";

test("from the cookie gate to the customer area, and the second time without a code", async ({
  person,
  page,
  portal,
}) => {
  await person.open("/cp/profile");
  await expect(page).toHaveURL("/home/cookies");
  await expect(person.heading).toHaveText("Zanim przejdziesz dalej");
  await person.button("Akceptuję i przechodzę dalej").click();
  await expect(page).toHaveURL("/home");
  await expect(page).toHaveTitle("Logowanie klienta | Tarnea Ubezpieczenia");
  await person.alive();

  await person.login(ANNA);
  await expect(page).toHaveURL("/home/mfa");
  await expect(person.heading).toHaveText("Potwierdź, że to Ty");
  await expect(page.getByRole("switch", { name: "Dodaj to urządzenie do zaufanych" })).toBeChecked();
  await expect(page.getByText("SMS z kodem wysłaliśmy o")).toBeVisible();
  await person.confirm(await portal.lastCode(ANNA.phone));

  await expect(page).toHaveURL("/cp");
  await expect(person.heading).toHaveText("Moje polisy");
  await expect(page.getByText(ANNA.policyNo)).toBeVisible();
  await expect(page.getByRole("banner").getByText(`Zalogowano: ${ANNA.name}`)).toBeVisible();

  const menu = page.getByRole("navigation", { name: "Menu główne" });
  await menu.getByRole("link", { name: "Moje dane" }).click();
  await expect(page).toHaveURL("/cp/profile");
  await expect(person.heading).toHaveText("Moje dane");
  await expect(page.locator("main")).toContainText(/Chrom\w*\s\d+, Linux/);
  await expect(page.locator("main")).toContainText("Zaufane od");
  await menu.getByRole("link", { name: "Kontakt" }).click();
  await expect(page).toHaveURL("/cp/contact");
  await expect(page.locator("main").getByRole("link", { name: "22 100 20 30" })).toBeVisible();

  await person.signOut();
  await expect(person.heading).toHaveText("Wylogowano z portalu");
  const messages = await portal.messagesTo(ANNA.phone);
  await page.getByRole("link", { name: "Zaloguj się ponownie" }).click();
  await expect(page).toHaveURL("/home");
  await person.alive();
  await person.login(ANNA);
  await expect(page).toHaveURL("/cp");
  expect(await portal.messagesTo(ANNA.phone)).toBe(messages);
});

test("a device the customer chose not to trust is asked for a code again", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(PIOTR);
  await page.getByRole("switch").uncheck();
  await person.confirm(await portal.lastCode(PIOTR.phone));
  await expect(page).toHaveURL("/cp");
  await person.alive();
  await person.signOut();
  await person.open("/home");
  await person.login(PIOTR);
  await expect(page).toHaveURL("/home/mfa");
});

test("a visitor who is asked whether to sign out can say no", async ({ person, page }) => {
  await person.signIn(ANNA);
  await page.getByRole("banner").getByRole("link", { name: "Wyloguj się" }).click();
  const question = page.getByRole("dialog", { name: "Czy chcesz się wylogować?" });
  await question.getByRole("link", { name: "Wróć" }).click();
  await expect(question).toBeHidden();
  await page.getByRole("link", { name: "Moje dane" }).click();
  await expect(page).toHaveURL("/cp/profile");
});

test("sign-in by the keyboard alone: Tab and Enter", async ({ person, page, portal }) => {
  await person.open("/home/cookies");
  await tabTo(page, "Akceptuję i przechodzę dalej");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/home");
  await person.alive();

  await tabTo(page, "username");
  await page.keyboard.type(ANNA.username);
  await tabTo(page, "password");
  await page.keyboard.type(ANNA.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/home/mfa");
  await person.alive();

  const messages = await portal.messagesTo(ANNA.phone);
  await tabTo(page, "authorizationCode");
  await page.keyboard.type(await portal.lastCode(ANNA.phone));
  await page.keyboard.press("Enter");
  // Enter confirms; it does not resend the code.
  await expect(page).toHaveURL("/cp");
  expect(await portal.messagesTo(ANNA.phone)).toBe(messages);
});

/** Presses Tab until the focus is on a field with this name or a control with these words. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return [element?.getAttribute("name"), element?.textContent.replace(/\s+/g, " ").trim()];
    });
    if (focused.includes(wanted)) return;
  }
  throw new Error(`Tab does not reach ${wanted}`);
}
