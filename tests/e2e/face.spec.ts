import { ANNA } from "../demo-customers";
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

test("[F2] an icon beside the label opens the allowed characters, and a button closes them", async ({
  page,
  standAt,
  javaScriptEnabled,
}) => {
  await standAt("create-document-password");
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

test("[F7] after OK on 105 and 108 the sign-in form is empty", async ({ person, page }) => {
  await person.arrive();
  for (const username of ["tomasz.zielinski", "ewa.dabrowska"]) {
    await person.login({ username, password: ANNA.password });
    await page.locator("dialog[open]").getByRole("link", { name: "OK" }).click();
    await expect(page).toHaveURL("/home");
    await person.alive();
    await expect(person.field("username")).toHaveValue("");
    await expect(person.field("password")).toHaveValue("");
  }
});

test("[F7] no field takes more than 4000 characters", async ({ person, page, standAt }) => {
  await standAt("set-password");
  const fields = page.locator("main input:is([type=text], [type=password])");
  const limits = await fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).maxLength));
  expect(limits.length).toBeGreaterThan(0);
  // Without a limit it is -1.
  expect(limits.filter((limit) => limit < 0 || limit > 4000)).toEqual([]);
  await person.open("/home/reset-password-init");
  await expect(person.field("username")).toHaveAttribute("maxlength", "4000");
});

test("[F8] a screen under /home is titled as customer sign-in, the customer area as customer portal", async ({
  person,
  page,
  signedIn,
}) => {
  expect(signedIn.username).toBeTruthy();
  for (const [path, title] of [
    ["/home/confirm-login", "Zalogowano – Logowanie klienta | Tarnea Ubezpieczenia"],
    ["/home/change-login", "Zmiana nazwy użytkownika – Logowanie klienta | Tarnea Ubezpieczenia"],
    ["/home/change-password", "Zmiana hasła – Logowanie klienta | Tarnea Ubezpieczenia"],
    ["/home/create-document-password", "Hasło do dokumentów – Logowanie klienta | Tarnea Ubezpieczenia"],
    ["/cp", "Moje polisy – Portal klienta | Tarnea Ubezpieczenia"],
    ["/cp/profile", "Moje dane – Portal klienta | Tarnea Ubezpieczenia"],
    ["/cp/contact", "Kontakt – Portal klienta | Tarnea Ubezpieczenia"],
  ] as const) {
    await person.open(path);
    await expect(page).toHaveTitle(title);
  }
});

test("[F64] the menu marks the open page, and the part of the portal that it belongs to", async ({
  person,
  page,
  signedIn,
}) => {
  expect(signedIn.username).toBeTruthy();
  const menu = page.getByRole("navigation").getByRole("link");
  for (const [path, marks] of [
    ["/cp", ["page", null, null]],
    ["/cp/profile", [null, "page", null]],
    ["/cp/not-me", [null, "true", null]],
    ["/home/change-password", [null, "true", null]],
    ["/cp/contact", [null, null, "page"]],
  ] as const) {
    await person.open(path);
    const found = await menu.evaluateAll((links) => links.map((link) => link.getAttribute("aria-current")));
    expect([path, found]).toEqual([path, marks]);
  }
});

test("[F1] an empty or malformed code doesn't hide the resend link; a wrong one does, with scripts", async ({
  person,
  standAt,
  javaScriptEnabled,
}) => {
  const code = await standAt("remind-login-submit");
  await person.field("authorizationCode").fill("12a456");
  await person.button("Dalej").click();
  await expect(person.button(RESEND)).toBeVisible();
  await person.field("authorizationCode").fill(wrongCode(code));
  await person.button("Dalej").click();
  await expect(person.refusal).toContainText("Nieprawidłowy kod");
  await expect(person.button(RESEND)).toHaveCount(javaScriptEnabled ? 0 : 1);
});

test("[F24] a form with one field has its alert there and no summary; with scripts the field has the focus", async ({
  person,
  page,
  standAt,
  javaScriptEnabled,
}) => {
  const code = await standAt("remind-login-submit");
  const field = person.field("authorizationCode");
  // Without scripts the browser itself holds back letters.
  for (const wrong of [...(javaScriptEnabled ? ["12a456"] : []), wrongCode(code)]) {
    await field.fill(wrong);
    await person.button("Dalej").click();
    await expect(field).toHaveAccessibleDescription(/Wpisz same cyfry|Nieprawidłowy kod/);
    await expect(page).toHaveTitle(/^Błąd: /);
    await expect(person.alert).toHaveText(/^Błąd: (Wpisz same cyfry|Nieprawidłowy kod)/);
    await expect(page.locator("[data-alert-of] > *")).toHaveCount(0);
    if (javaScriptEnabled) await expect(field).toBeFocused();
  }
  await expect(person.alert).toContainText("Nieprawidłowy kod");
});

test("[F10] the password manager's name for a document password is off the screen", async ({
  page,
  standAt,
}) => {
  await standAt("create-document-password");
  const name = page.locator("main input[autocomplete='section-documents username']");
  await expect(name).toHaveValue(/^Hasło do dokumentów \(klient/);
  const box = await name.boundingBox();
  expect(box?.width).toBeLessThanOrEqual(1);
  // It moves nothing: the two columns start at the same height.
  const top = async (label: string) =>
    (await page.locator("main label", { hasText: label }).first().boundingBox())?.y ?? 0;
  expect(await top("Nowe hasło do dokumentów")).toBeCloseTo(await top("Kod autoryzacyjny"), -1);
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

test("[F12] 'SMS nie dotarł?' suggests a typing mistake first when signed out", async ({ page, standAt }) => {
  await standAt("remind-login-submit");
  await expect(page.locator("main details li").first()).toContainText("nie ma pomyłki");
});

test("[F12] 'SMS nie dotarł?' suggests an old number first when signed in", async ({ page, standAt }) => {
  await standAt("change-login");
  await expect(page.locator("main details li").first()).toContainText("Masz nowy numer telefonu?");
});
