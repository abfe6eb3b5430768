import { ANNA, PIOTR } from "../demo-customers";
import { Visitor } from "../visitor";
import { expect, takeOver, test } from "./account";

test("[F15] a sign-in from an old page says whose account is open, and the account can be switched", async ({
  person,
  page,
  context,
  portal,
}) => {
  await person.arrive();
  // Anna signs in while Piotr's page stays as it is.
  const anna = new Visitor(portal);
  await anna.signIn(ANNA);
  await takeOver(context, portal, anna);
  await person.login(PIOTR);
  await expect(page).toHaveURL("/home/switch-account");
  await person.alive();
  await expect(person.heading).toHaveText("Inne konto jest otwarte");
  await expect(page.getByText(`W tej przeglądarce jest otwarte konto: ${ANNA.name}.`)).toBeVisible();
  await page.getByRole("link", { name: "Przejdź do tego konta" }).click();
  await expect(page).toHaveURL("/cp");
  await expect(page.getByText(ANNA.policyNo)).toBeVisible();

  await person.open("/home/switch-account");
  await person.button("Wyloguj się i zmień konto").click();
  await expect(page).toHaveURL("/home");
  await person.alive();
  await expect(person.field("username")).toHaveValue(PIOTR.username);
  await expect(person.field("password")).toHaveValue("");
  await person.field("password").fill("Zle-Haslo-2026!");
  await person.sendRefused(() => person.button("Zaloguj się").click());
  await expect(person.field("username")).toHaveValue(PIOTR.username);
  await person.field("password").fill(PIOTR.password);
  await person.button("Zaloguj się").click();
  await expect(page).toHaveURL("/home/mfa");
});
