import type { Page } from "@playwright/test";
import { JAN, KRYSTYNA } from "../../demo-customers";
import { wrongCode } from "../../portal";
import { expect, test } from "../fixtures";

const choose = (page: Page, name: string) =>
  page.getByRole("contentinfo").getByRole("link", { name, exact: true }).click();

test("[F17] another language keeps what was typed, but neither passwords nor identifiers, not even shown ones", async ({
  person,
  page,
}) => {
  await person.arrive();
  await person.field("username").fill(JAN.username);
  await person.field("password").fill(JAN.password);
  await choose(page, "English");
  await expect(person.heading).toHaveText("Sign in");
  await expect(person.heading).toBeFocused();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page).toHaveURL("/home");
  await expect(person.field("username")).toHaveValue(JAN.username);
  await expect(person.field("password")).toHaveValue("");

  await person.open("/home/register");
  await person.field("policyNo").fill(KRYSTYNA.policyNo);
  await person.field("pid").fill(KRYSTYNA.pid);
  await page.locator("[aria-controls=register-pid]").click();
  await expect(person.field("pid")).toHaveAttribute("type", "text");
  await choose(page, "Polski");
  await expect(page.locator("html")).toHaveAttribute("lang", "pl");
  await expect(person.field("policyNo")).toHaveValue(KRYSTYNA.policyNo);
  await expect(person.field("pid")).toHaveValue("");
  await expect(page.locator("main")).toContainText("numer PESEL, dokumentu albo NIP był już wpisany");
  await expect(page).toHaveURL("/home/register");
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain(
    KRYSTYNA.policyNo,
  );
});

test("[F17] a switch stays as it was set, and a refusal in the other language goes", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(JAN);
  await person.field("trustDevice").uncheck();
  await person.confirm(wrongCode(await portal.lastCode(JAN.phone)));
  await expect(person.refusal).toBeVisible();
  await choose(page, "English");
  await expect(person.heading).toHaveText("Confirm that it is you");
  await expect(person.field("trustDevice")).not.toBeChecked();
  await expect(person.field("authorizationCode")).toHaveValue("");
  await expect(person.refusal).toHaveCount(0);
  await expect(page).toHaveTitle(/^(?!Error)/);
});
