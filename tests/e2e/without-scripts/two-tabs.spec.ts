import type { Page } from "@playwright/test";
import { CODE_STEPS } from "../../account-steps";
import { PIOTR } from "../../demo-customers";
import { FIRST_PASSWORD } from "../../new-account";
import { wrongCode } from "../../portal";
import { expect, takeOver, test } from "../account";
import { Person } from "../person";

// With scripts a second tab is blocked: with-scripts/single-tab.spec.ts.

test("a sign-in begun in one tab goes on in a second, and the first tab follows", async ({
  person,
  page,
  context,
  portal,
}) => {
  await person.reachCode(PIOTR);
  const second = new Person(await context.newPage(), portal, false);
  await second.open("/home");
  await expect(second.page).toHaveURL("/home/mfa");
  const code = await portal.lastCode(PIOTR.phone);
  await second.confirm(code);
  await expect(second.page).toHaveURL("/cp");

  await person.confirm(code);
  await expect(page).toHaveURL("/cp");
  await expect(person.heading).toHaveText("Moje polisy");
});

test("[S46] when a second tab has finished the journey, the first one, sent afterwards, reaches the portal too", async ({
  person,
  page,
  portal,
  newcomer,
  context,
}) => {
  const { visitor, phone } = await CODE_STEPS["set-password"].arrive(portal, newcomer);
  await takeOver(context, portal, visitor);
  await person.open("/home/set-password");
  const code = await portal.lastCode(phone);
  const other = await context.newPage();
  await other.goto("/home/set-password");
  await setPassword(other, code, FIRST_PASSWORD);
  await expect(other).toHaveURL("/home/confirm-login");
  await setPassword(page, wrongCode(code), "Inne-Haslo-2026!");
  await expect(page).toHaveURL("/cp");
});

async function setPassword(page: Page, code: string, password: string): Promise<void> {
  const fields = { authorizationCode: code, newPassword: password, newPasswordRepeat: password };
  for (const [name, value] of Object.entries(fields)) await page.locator(`main [name="${name}"]`).fill(value);
  await page.getByRole("button", { name: "Zapisz" }).click();
}
