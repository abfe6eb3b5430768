import { FIRST_PASSWORD } from "../../new-account";
import { wrongCode } from "../../portal";
import { expect, test } from "../account";

test("§5 [C-19] show and hide: a typed password can be shown, and is hidden again when the form is sent", async ({
  person,
  page,
  standAt,
}) => {
  const code = await standAt("set-password");
  const field = person.field("newPassword");
  await field.fill(FIRST_PASSWORD);
  await expect(field).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Pokaż znaki w polu: Nowe hasło", exact: true }).click();
  await expect(field).toHaveAttribute("type", "text");
  await expect(field).toHaveValue(FIRST_PASSWORD);
  await expect(page.getByRole("status").filter({ hasText: "Znaki są widoczne." })).toHaveCount(1);
  await page.getByRole("button", { name: "Ukryj znaki w polu: Nowe hasło", exact: true }).click();
  await expect(field).toHaveAttribute("type", "password");
  await expect(page.getByRole("status").filter({ hasText: "Znaki są ukryte." })).toHaveCount(1);

  await page.getByRole("button", { name: "Pokaż znaki w polu: Nowe hasło", exact: true }).click();
  await person.field("newPasswordRepeat").fill(FIRST_PASSWORD);
  await person.field("authorizationCode").fill(wrongCode(code));
  await person.button("Zapisz").click();
  await expect(person.alert).toBeVisible();
  await expect(field).toHaveAttribute("type", "password");
  for (const name of ["Kod autoryzacyjny", "Nowe hasło", "Powtórz nowe hasło"])
    await expect(
      page.getByRole("button", { name: `Pokaż znaki w polu: ${name}`, exact: true }),
    ).toBeVisible();
});

test("[C-14] a button copies the generated username and says so", async ({
  person,
  page,
  context,
  signedIn,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.open("/home/confirm-login");
  await person.button("Kopiuj").click();
  await expect(page.getByText("Skopiowano")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(signedIn.username);
});

test("[S46] a double click on 'Zapisz' makes one account and leads on", async ({ person, page, standAt }) => {
  const code = await standAt("set-password");
  await person.field("authorizationCode").fill(code);
  await person.field("newPassword").fill(FIRST_PASSWORD);
  await person.field("newPasswordRepeat").fill(FIRST_PASSWORD);
  const posts = await person.countPosts(async () => {
    await person.button("Zapisz").dblclick();
    await expect(page).toHaveURL("/home/confirm-login");
  });
  expect(posts).toBe(1);
});
