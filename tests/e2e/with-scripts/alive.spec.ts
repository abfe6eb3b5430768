import { ANNA, PIOTR } from "../../demo-customers";
import { wrongCode } from "../../portal";
import { expect, test } from "../fixtures";

test("[C-03, C-07, C-10] 101: the focus goes to the alert; unchanged values are not sent again, changed ones are", async ({
  person,
  page,
}) => {
  await person.arrive();
  await person.login({ username: "nie.ma.jej", password: "Zle-Haslo-1!" });
  await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło.");
  await expect(person.alert).toBeFocused();

  const unchanged = await person.countPosts(async () => {
    await person.login({ username: "nie.ma.jej", password: "Zle-Haslo-1!" });
    await expect(person.alert).toBeFocused();
  });
  expect(unchanged).toBe(0);
  const changed = await person.countPosts(async () => {
    await person.sending(() => person.login({ username: "nie.ma.jej", password: "Zle-Haslo-2!" }));
  });
  expect(changed).toBe(1);
  await expect(page).toHaveURL(/\/home(\?index)?$/);
});

test("[F4] 101: when a value changes, banner, marks and title go together; with the same values they are back", async ({
  person,
  page,
}) => {
  await person.arrive();
  await person.login({ username: "nie.ma.jej", password: "Zle-Haslo-1!" });
  await expect(person.alert).toBeFocused();
  const invalid = page.locator("main [aria-invalid=true]");
  await expect(invalid).toHaveCount(2);
  await expect(page).toHaveTitle(/^Błąd: /);

  await person.field("password").fill("Zle-Haslo-2!");
  await expect(person.alert).toHaveCount(0);
  await expect(invalid).toHaveCount(0);
  await expect(page).not.toHaveTitle(/^Błąd: /);

  await person.field("username").fill("");
  await person.field("username").fill("nie.ma.jej");
  await person.field("password").fill("Zle-Haslo-1!");
  await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło.");
  await expect(invalid).toHaveCount(2);
  await expect(page).toHaveTitle(/^Błąd: /);
  // It came back while the visitor was typing, so the focus stayed.
  await expect(person.field("password")).toBeFocused();

  // What the browser has found in between gives way to the banner.
  await person.field("password").fill("");
  await person.button("Zaloguj się").click();
  await expect(person.alert).toContainText("pole nie może być puste");
  await person.field("password").fill("Zle-Haslo-1!");
  await expect(person.alert).toContainText("Nieprawidłowa nazwa użytkownika lub hasło.");
});

test("[F4] 007: the page says why there is no resend button; once the code changes, nothing announces it", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(PIOTR);
  const wrong = wrongCode(await portal.lastCode(PIOTR.phone));
  await person.confirm(wrong);
  await expect(person.refusalInFocus).toBeVisible();
  const resend = person.button("Wyślij kod ponownie");
  const why = page.getByText("Aby zamówić nowy SMS, najpierw wyczyść pole");
  await expect(resend).toHaveCount(0);
  await expect(why).toBeVisible();
  await person.field("authorizationCode").fill(wrongCode(wrong));
  await expect(person.refusal).toHaveCount(0);
  await expect(resend).toBeVisible();
  await expect(why).toHaveCount(0);
  await expect(page).not.toHaveTitle(/^Błąd: /);
  await person.field("authorizationCode").fill(wrong);
  await expect(person.refusal).toBeVisible();
});

test("the confirm button is disabled while the code is empty; Enter there sends no new code", async ({
  person,
  page,
  portal,
}) => {
  await person.reachCode(ANNA);
  await expect(person.button("Potwierdź")).toHaveAttribute("aria-disabled", "true");
  const messages = await portal.messagesTo(ANNA.phone);
  const posts = await person.countPosts(async () => {
    await person.field("authorizationCode").focus();
    await page.keyboard.press("Enter");
    // An earlier request would be counted by the time this one is answered.
    await person.confirm(await portal.lastCode(ANNA.phone));
    await expect(page).toHaveURL("/cp");
  });
  expect([posts, await portal.messagesTo(ANNA.phone)]).toEqual([1, messages]);
});
