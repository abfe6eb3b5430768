import { TOMASZ } from "../../demo-customers";
import { FIRST_PASSWORD } from "../../new-account";
import { expect, test } from "../account";

test.use({ javaScriptEnabled: false });

test("[S46] a double click on 'Zapisz' makes one account, and the browser is signed in", async ({
  person,
  page,
  newcomer,
  standAt,
}) => {
  await person.fill({
    authorizationCode: await standAt("set-password"),
    newPassword: FIRST_PASSWORD,
    newPasswordRepeat: FIRST_PASSWORD,
  });
  await person.button("Zapisz").dblclick();
  await expect(page).toHaveURL(/\/home\/confirm-login|\/cp/);
  await expect(page.getByRole("banner")).toContainText(newcomer.name);
});

test("the browser's own checks block nothing that the portal accepts", async ({ person, page, standAt }) => {
  const code = await standAt("set-password");
  const password = "Zażółć <&> 1!";
  await person.setPassword(` ${code.slice(0, 3)} ${code.slice(3)} `, password, password.normalize("NFD"));
  await expect(page).toHaveURL("/home/confirm-login");
});

test("a dialog is open at the top of the content and covers nothing", async ({ person, page }) => {
  await person.arrive();
  await person.login(TOMASZ);
  const dialog = await page.getByRole("dialog", { name: "Konto wygasło" }).boundingBox();
  const below = await person.heading.boundingBox();
  expect(below?.y).toBeGreaterThanOrEqual((dialog?.y ?? NaN) + (dialog?.height ?? NaN));
});
