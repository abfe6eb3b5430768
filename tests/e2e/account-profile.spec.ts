import { Visitor } from "../visitor";
import { expect, openPart, profileButton, takeOver, test } from "./account";

const DOCUMENTS = "Hasla-Dokumentow-1!";

test("§4 document password: created from the profile, then changed; the profile says which it was", async ({
  person,
  page,
  portal,
  signedIn,
}) => {
  const modes = [
    ["create", "Utwórz hasło do dokumentów", "Hasło do dokumentów zostało utworzone."],
    ["change", "Zmień hasło do dokumentów", "Hasło do dokumentów zostało zmienione."],
  ] as const;
  await person.open("/cp/profile");
  await expect(page.locator("main")).toContainText("Nie ustawiono");
  for (const [mode, button, done] of modes) {
    await profileButton(page, button).click();
    await expect(page).toHaveURL(`/home/${mode}-document-password`);
    await person.alive();
    await person.field("authorizationCode").fill(await portal.lastCode(signedIn.phone));
    await person.field("password").fill(DOCUMENTS);
    await person.field("passwordRepeat").fill(DOCUMENTS);
    await person.button("Zapisz").click();
    await expect(page).toHaveURL(`/cp/profile?document-password-save-result=${mode}`);
    await person.alive();
    await expect(page.getByText(done)).toBeVisible();
  }
});

test("§2 the list of allowed characters opens and closes, and typed values are kept", async ({
  person,
  page,
  standAt,
}) => {
  await standAt("create-document-password");
  await person.field("password").fill(DOCUMENTS);
  const list = page.locator("#allowed-characters dialog");
  await expect(list).toBeHidden();
  await page.locator("main").getByRole("link", { name: "Dozwolone znaki" }).click();
  await expect(list).toBeVisible();
  await expect(list).toContainText("litery bez polskich znaków: a\u2060–\u2060z, A\u2060–\u2060Z");
  await expect(list).toContainText("cyfry: 0\u2060–\u20609");
  await expect(list).toContainText("znaki specjalne:");
  await list.getByText("Zamknij").click();
  await expect(list).toBeHidden();
  await expect(person.field("password")).toHaveValue(DOCUMENTS);
});

test("[S44, C-18, F55] trusted devices: one is removed, then all, and the profile says so where the focus is", async ({
  person,
  page,
  portal,
  customer,
  context,
  javaScriptEnabled,
}) => {
  const visitor = new Visitor(portal);
  await visitor.signIn(customer, true);
  for (let more = 0; more < 2; more += 1) await new Visitor(portal).signIn(customer, true);
  await takeOver(context, portal, visitor);
  await person.open("/cp/profile");
  await openPart(page, "Zaufane urządzenia");
  const one = page.locator("main").getByRole("button", { name: /^Usuń (?!wszystkie)/ });
  await expect(one).toHaveCount(3);
  await one.first().press("Enter");
  await expect(page.getByText("Urządzenie nie jest już zaufane.")).toBeInViewport();
  if (javaScriptEnabled) await expect(person.heading).toBeFocused();
  await expect(one).toHaveCount(2);
  await person.alive();
  await person.button("Usuń wszystkie urządzenia").click();
  await expect(page.getByText("Wszystkie zaufane urządzenia zostały usunięte.")).toBeVisible();
  // Still open, because the customer has just changed something in it.
  await expect(page.getByText("Nie masz zaufanych urządzeń.")).toBeVisible();
});
