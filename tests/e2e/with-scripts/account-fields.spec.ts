import { FIRST_PASSWORD, NEXT_PASSWORD } from "../../new-account";
import { wrongCode } from "../../portal";
import { expect, test } from "../account";

const EMPTY = "Pole nie może być puste.";
const MISMATCH = "nie są takie same";

test("§5 code, new password and repeat are reported missing when they are left, not before", async ({
  person,
  standAt,
}) => {
  await standAt("set-password");
  for (const name of ["authorizationCode", "newPassword", "newPasswordRepeat"]) {
    const field = person.field(name);
    await field.focus();
    await expect(field).not.toHaveAttribute("aria-invalid", "true");
    await field.blur();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveAccessibleDescription(new RegExp(EMPTY));
  }
});

test("[F46] opening an explanation marks no field, its own or another", async ({ person, page, standAt }) => {
  await standAt("set-password");
  const code = person.field("authorizationCode");
  await code.focus();
  await page.getByText("SMS nie dotarł?").click();
  await expect(page.getByRole("group").filter({ hasText: "Poczekaj minutę" })).toHaveAttribute("open", "");
  await person.field("newPassword").focus();
  await page.getByText("SMS nie dotarł?").click();
  await expect(page.getByRole("group").filter({ hasText: "SMS nie dotarł?" })).not.toHaveAttribute(
    "open",
    "",
  );
  for (const name of ["authorizationCode", "newPassword"])
    await expect(person.field(name)).not.toHaveAttribute("aria-invalid", "true");
});

test("§5 different passwords: reported when the repeat is left, and withdrawn when the other field changes", async ({
  person,
  standAt,
}) => {
  await standAt("set-password");
  const [one, other] = [person.field("newPassword"), person.field("newPasswordRepeat")];
  await one.fill(FIRST_PASSWORD);
  await other.fill(NEXT_PASSWORD);
  await expect(other).not.toHaveAttribute("aria-invalid", "true");
  await other.blur();
  await expect(other).toHaveAccessibleDescription(new RegExp(MISMATCH));
  await one.fill(NEXT_PASSWORD);
  await expect(other).not.toHaveAttribute("aria-invalid", "true");
  await one.fill(FIRST_PASSWORD);
  await expect(other).toHaveAccessibleDescription(new RegExp(MISMATCH));
});

test("§5 different usernames: reported while the repeat is typed, withdrawn when the other changes", async ({
  person,
  standAt,
}) => {
  await standAt("change-login");
  const [one, other] = [person.field("newUsername"), person.field("newUsernameRepeat")];
  await one.fill("nowa.nazwa");
  await other.pressSequentially("nowa.x");
  await expect(other).toBeFocused();
  await expect(other).toHaveAccessibleDescription(new RegExp(MISMATCH));
  await one.fill("nowa.x");
  await expect(other).not.toHaveAttribute("aria-invalid", "true");
  await one.fill("nowa.nazwa");
  await expect(other).toHaveAttribute("aria-invalid", "true");
});

test("§5 [S80] while a password is typed, its conditions update, and a hint says when it is easy to guess", async ({
  person,
  page,
  standAt,
}) => {
  await standAt("set-password");
  const met = page.locator("#new-password-rules li").filter({ hasText: "– spełnione" });
  const field = person.field("newPassword");
  for (const [typed, count] of [
    ["aŻ1!", 3],
    ["aŻ1!aaaaaaaa", 4],
  ] as const) {
    await field.fill(typed);
    await expect(met, typed).toHaveCount(count);
  }

  const hint = page.locator("#new-password-rules").getByText("To hasło łatwo odgadnąć");
  await field.fill("Warszawa1944!");
  await expect(hint).toContainText("składa się z popularnych słów");
  await expect(page.getByRole("status").filter({ hasText: "To hasło łatwo odgadnąć" })).toContainText(
    "Hasło spełnia wszystkie warunki.",
  );
  await field.fill("Tarnea-2026-wierzba-tramwaj");
  await expect(hint).toHaveCount(0);
});

test("§5 a password that fails a condition is not sent", async ({ person, page, standAt }) => {
  const code = await standAt("set-password");
  await person.field("authorizationCode").fill(code);
  await person.field("newPassword").fill("za-krotkie-1");
  await person.field("newPasswordRepeat").fill("za-krotkie-1");
  const posts = await person.countPosts(async () => {
    await person.button("Zapisz").click();
    await expect(person.field("newPassword")).toHaveAccessibleDescription(/Dodaj wielką literę\./);
  });
  expect(posts).toBe(0);
  await person.field("newPassword").fill(FIRST_PASSWORD);
  await person.field("newPasswordRepeat").fill(FIRST_PASSWORD);
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/home/confirm-login");
});

test("§5 a document password with a forbidden character names it", async ({ person, standAt }) => {
  await standAt("create-document-password");
  const field = person.field("password");
  await field.fill("Hasło");
  await field.blur();
  await expect(field).toHaveAccessibleDescription(/Nieprawidłowy znak: „ł”\./);
  await field.fill("Haslo");
  await expect(field).not.toHaveAccessibleDescription(/Nieprawidłowy znak/);
});

test("§5 [C-09] 007 stays at the code until the code changes; until then the resend button is hidden", async ({
  person,
  standAt,
}) => {
  const code = await standAt("set-password");
  const field = person.field("authorizationCode");
  await field.fill(wrongCode(code));
  await person.field("newPassword").fill(FIRST_PASSWORD);
  await person.field("newPasswordRepeat").fill(FIRST_PASSWORD);
  await person.button("Zapisz").click();
  await expect(person.alert).toBeFocused();
  for (const other of ["newPassword", "newPasswordRepeat"]) {
    await person.field(other).fill(NEXT_PASSWORD);
    await person.field(other).blur();
    await expect(field).toHaveAccessibleDescription(/Nieprawidłowy kod autoryzacyjny\./);
  }
  await expect(person.button("Wyślij kod ponownie")).toHaveCount(0);
  await field.press("End");
  await field.press("Backspace");
  await expect(field).not.toHaveAttribute("aria-invalid", "true");
  await expect(person.button("Wyślij kod ponownie")).toBeVisible();
});

test("§5 [C-09] 013 stays at the new password until it changes", async ({ person, standAt }) => {
  const code = await standAt("change-password");
  const field = person.field("newPassword");
  await person.field("authorizationCode").fill(code);
  await field.fill(FIRST_PASSWORD);
  await person.field("newPasswordRepeat").fill(FIRST_PASSWORD);
  await person.button("Zapisz").click();
  await expect(field).toHaveAccessibleDescription(/To hasło było już używane\./);
  await person.field("authorizationCode").fill(wrongCode(code));
  await person.field("authorizationCode").blur();
  await person.field("newPasswordRepeat").fill(NEXT_PASSWORD);
  await expect(field).toHaveAccessibleDescription(/To hasło było już używane\./);
  await field.fill(NEXT_PASSWORD);
  await expect(field).not.toHaveAttribute("aria-invalid", "true");
});

test("§2 register: the button is disabled until both fields are filled", async ({ person }) => {
  await person.arrive();
  await person.open("/home/register");
  const button = person.button("Wyślij kod autoryzacyjny");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await person.field("policyNo").fill("POL-100001");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await person.field("pid").fill("1");
  await expect(button).not.toHaveAttribute("aria-disabled", "true");
});

test("[C-18] after the first code is sent, focus moves from the button, which goes, to the field for the code", async ({
  person,
  signedIn,
  portal,
}) => {
  const messages = await portal.messagesTo(signedIn.phone);
  await person.open("/home/change-password");
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(person.field("authorizationCode")).toBeFocused();
  expect(await portal.messagesTo(signedIn.phone)).toBe(messages + 1);
});
