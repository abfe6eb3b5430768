import { expect, MAKE, test, toSecondStep } from "../localhost";

test("a passkey without scripts: the button says which browser is needed, and the page offers an app", async ({
  person,
  page,
  signedIn,
}) => {
  await toSecondStep(person, page, signedIn);
  await person.button(MAKE).click();
  await expect(person.alert).toContainText(/potrzebna jest przeglądarka z\swłączonymi skryptami/);
  await page.getByRole("link", { name: "Dodaj aplikację z kodami" }).click();
  await expect(page).toHaveURL("/home/add-app");
});

test("a sign-in page without scripts offers no passkey, and loses nothing", async ({ person, page }) => {
  await person.arrive();
  await expect(page.getByText("Zaloguj się kluczem dostępu")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Zaloguj się" })).toHaveCount(1);
});
