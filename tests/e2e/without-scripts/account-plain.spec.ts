import { CODE_STEPS } from "../../account-steps";
import { FIRST_PASSWORD } from "../../new-account";
import { expect, takeOver, test } from "../account";

test("what needs scripts is not in the page: no toggle, no copy button, no disabled button", async ({
  person,
  page,
  context,
  portal,
  newcomer,
  signedIn,
}) => {
  await person.open("/home/confirm-login");
  await expect(page.getByLabel("Twoja nazwa użytkownika")).toHaveValue(signedIn.username);
  await expect(person.button("Kopiuj")).toHaveCount(0);
  for (const path of ["/home/change-login", "/home/change-password", "/home/create-document-password"]) {
    await person.open(path);
    await person.sending(() => person.button("Wyślij kod autoryzacyjny").click());
    await expect(person.field("authorizationCode")).toBeVisible();
    await expect(page.locator("main").getByRole("button", { name: /^(Pokaż|Ukryj)/ })).toHaveCount(0);
    await expect(page.locator("main button:disabled, main [aria-disabled]")).toHaveCount(0);
  }
  expect((await context.cookies()).length).toBeGreaterThan(0);
  expect(await portal.messagesTo(newcomer.phone)).toBe(0);
});

test("[S46] a double click on 'Zapisz' makes one account, and the browser is signed in", async ({
  person,
  page,
  context,
  portal,
  newcomer,
}) => {
  const { visitor, phone } = await CODE_STEPS["set-password"].arrive(portal, newcomer);
  await takeOver(context, portal, visitor);
  await person.open("/home/set-password");
  await person.field("authorizationCode").fill(await portal.lastCode(phone));
  await person.field("newPassword").fill(FIRST_PASSWORD);
  await person.field("newPasswordRepeat").fill(FIRST_PASSWORD);
  await person.button("Zapisz").dblclick();
  await expect(page).toHaveURL(/\/home\/confirm-login|\/cp/);
  await expect(page.getByRole("banner")).toContainText(newcomer.name);
});

test("the browser's own checks block nothing that the portal accepts", async ({
  person,
  page,
  context,
  portal,
  newcomer,
}) => {
  const { visitor, phone } = await CODE_STEPS["set-password"].arrive(portal, newcomer);
  await takeOver(context, portal, visitor);
  await person.open("/home/set-password");
  const code = await portal.lastCode(phone);
  const password = "Zażółć <&> 1!";
  await person.field("authorizationCode").fill(` ${code.slice(0, 3)} ${code.slice(3)} `);
  await person.field("newPassword").fill(password);
  await person.field("newPasswordRepeat").fill(password.normalize("NFD"));
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/home/confirm-login");
});
