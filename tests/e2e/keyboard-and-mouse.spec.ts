import type { Page } from "@playwright/test";
import { ANNA, JAN } from "../demo-customers";
import { expect, test } from "./account";

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

test("a double click on 'Zaloguj się' sends one message, and one on 'Potwierdź' signs in", async ({
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
  await person.field("authorizationCode").fill(await portal.lastCode(JAN.phone));
  await person.button("Potwierdź").dblclick();
  await expect(page).toHaveURL("/cp");
  await expect(person.heading).toHaveText("Moje polisy");
  await person.open("/cp/profile");
  await expect(page).toHaveURL("/cp/profile");
  expect(await portal.messagesTo(JAN.phone)).toBe(messages + 1);
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
