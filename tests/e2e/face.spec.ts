import { wrongCode } from "../portal";
import { expect, test } from "./account";

const RESEND = "Wyślij kod ponownie";

test("[F1] 'Wyślij kod ponownie' is a link under the code field; Enter still presses the form's own button", async ({
  person,
  page,
  portal,
  newcomer,
  standAt,
}) => {
  const code = await standAt("remind-login-submit");
  // The field with its label and hint.
  const field = await page.locator("main [data-field]").boundingBox();
  const resend = await person.button(RESEND).boundingBox();
  expect(resend?.x).toBe(field?.x);
  expect((resend?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)).toBeLessThan(16);
  await person.field("authorizationCode").fill(code);
  const messages = await portal.messagesTo(newcomer.phone);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/home/remind-login-final");
  expect(await portal.messagesTo(newcomer.phone)).toBe(messages);
});

test("[F2, F10] a document password's icon opens the allowed characters; its name is off the screen", async ({
  page,
  standAt,
  javaScriptEnabled,
}) => {
  await standAt("create-document-password");
  // The name for password managers.
  const name = page.locator("main input[autocomplete='section-documents username']");
  await expect(name).toHaveValue(/^Hasło do dokumentów \(klient/);
  expect((await name.boundingBox())?.width).toBeLessThanOrEqual(1);
  // It moves nothing: the two columns start at the same height.
  const top = async (words: string) =>
    (await page.locator("main label", { hasText: words }).first().boundingBox())?.y ?? 0;
  expect(await top("Nowe hasło do dokumentów")).toBeCloseTo(await top("Kod autoryzacyjny"), -1);
  const icon = page.getByRole("link", { name: "Dozwolone znaki" });
  const label = page.locator("label", { hasText: "Nowe hasło" }).first();
  const [ofIcon, ofLabel] = [await icon.boundingBox(), await label.boundingBox()];
  expect(ofIcon?.x).toBeGreaterThanOrEqual((ofLabel?.x ?? 0) + (ofLabel?.width ?? 0));
  await icon.click();
  const characters = page.locator("#allowed-characters");
  await expect(characters.getByText("cyfry")).toBeVisible();
  const close = characters.getByRole("link", { name: "Zamknij" });
  expect((await close.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await close.click();
  if (javaScriptEnabled) await expect(characters.getByText("cyfry")).toBeHidden();
});

test("[F3] the customer's name is in the header at every width", async ({ person, page, signedIn }) => {
  expect(signedIn.username).toBeTruthy();
  await person.open("/cp");
  for (const width of [320, 360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const name = page.getByRole("banner").getByText(signedIn.name);
    await expect(name).toBeInViewport();
    const box = await name.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  }
});

test("[F1, F24] a form with one field has its alert there; only a wrong code hides the resend link", async ({
  person,
  page,
  standAt,
  javaScriptEnabled,
}) => {
  const code = await standAt("remind-login-submit");
  const field = person.field("authorizationCode");
  // Without scripts the browser itself holds back letters.
  for (const [wrong, links] of [
    ...(javaScriptEnabled ? [["12a456", 1] as const] : []),
    [wrongCode(code), javaScriptEnabled ? 0 : 1] as const,
  ]) {
    await field.fill(wrong);
    await person.button("Dalej").click();
    await expect(field).toHaveAccessibleDescription(/Wpisz same cyfry|Nieprawidłowy kod/);
    await expect(page).toHaveTitle(/^Błąd: /);
    await expect(person.alert).toHaveText(/^Błąd: (Wpisz same cyfry|Nieprawidłowy kod)/);
    await expect(page.locator("[data-alert-of] > *")).toHaveCount(0);
    await expect(person.button(RESEND)).toHaveCount(links);
    if (javaScriptEnabled) await expect(field).toBeFocused();
  }
  await expect(person.alert).toContainText("Nieprawidłowy kod");
});

test("[F32] after registering, the username stands off the screen, where password managers read it", async ({
  person,
  page,
  signedIn,
}) => {
  await person.open("/home/confirm-login");
  await expect(page.getByLabel("Twoja nazwa użytkownika")).toBeDisabled();
  const name = page.locator("main input[autocomplete=username]:enabled");
  await expect(name).toHaveValue(signedIn.username);
  expect((await name.boundingBox())?.width).toBeLessThanOrEqual(1);
});
