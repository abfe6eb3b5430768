import { expect, MAKE, test, toSecondStep } from "../localhost";

test.use({ javaScriptEnabled: false });

test("a passkey without scripts: the button says which browser is needed, and the page offers an app", async ({
  person,
  signedIn,
}) => {
  await toSecondStep(person, signedIn);
  await person.button(MAKE).click();
  await expect(person.alert).toContainText(/potrzebna jest przeglądarka z\swłączonymi skryptami/);
  await person.offers("link", "Dodaj aplikację z kodami", 1);
});
