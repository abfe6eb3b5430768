import { TOMASZ } from "../../demo-customers";
import { expect, test } from "../fixtures";

test("a single broken rule is one sentence, which leads to the field", async ({ person, page }) => {
  await person.arrive();
  await person.login({ username: "   ", password: "Haslo-Ktore-Jest-1" });
  await expect(person.alert).toHaveText("Błąd: Nazwa użytkownika: pole nie może być puste.");
  await expect(page).toHaveTitle(/^Błąd: /);
  await person.alert.getByRole("link").click();
  await expect(person.field("username")).toBeFocused();
});

test("a dialog is open at the top of the content and covers nothing", async ({ person, page }) => {
  await person.arrive();
  await person.login(TOMASZ);
  const dialog = page.getByRole("dialog", { name: "Konto wygasło" });
  const below = person.heading;
  await expect(dialog).toBeVisible();
  const bottom = (await dialog.boundingBox())?.height ?? 0;
  const top = (await dialog.boundingBox())?.y ?? 0;
  expect((await below.boundingBox())?.y).toBeGreaterThanOrEqual(top + bottom);
});

test("the same refused values can be sent again and are refused again: no stuck page, no error page", async ({
  person,
}) => {
  await person.arrive();
  for (let nth = 0; nth < 2; nth += 1) {
    await person.login({ username: "te.same.dane", password: "Zle-Haslo-1!" });
    await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło.");
  }
});
