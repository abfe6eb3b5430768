import { ANNA } from "../demo-customers";
import { CODE_STEPS } from "../account-steps";
import { expect, test } from "./account";

const SEND = "Wyślij kod autoryzacyjny";
/** "Najpierw zamów kod. Przyjdzie SMS-em na numer ••• ••• 001.", with hard spaces or plain ones. */
const WILL_GO_TO = (phone: string) =>
  new RegExp(String.raw`Najpierw zamów kod\..*na\snumer\s•{3}\s•{3}\s${phone.slice(-3)}\.`);

for (const step of ["change-password", "change-login", "create-document-password"] as const) {
  test(`[F39] ${step}, opened before any code was sent, has one button and says where a code will go`, async ({
    person,
    page,
    portal,
    signedIn,
  }) => {
    const { path, fields, next } = CODE_STEPS[step];
    const messages = await portal.messagesTo(signedIn.phone);
    await person.open(path);
    const main = page.locator("main");
    await expect(main).toContainText("Dla Twojego bezpieczeństwa prosimy o kod z SMS");
    await expect(main).toContainText(WILL_GO_TO(signedIn.phone));
    await expect(main.locator("input")).toHaveCount(0);
    await expect(main.getByRole("button")).toHaveText([SEND, "Wstecz"]);
    expect(await portal.messagesTo(signedIn.phone)).toBe(messages);

    await person.send(() => person.button(SEND).click());
    await expect(person.field("authorizationCode")).toBeFocused();
    expect(await portal.messagesTo(signedIn.phone)).toBe(messages + 1);
    await person.alive();
    await person.field("authorizationCode").fill(await portal.lastCode(signedIn.phone));
    for (const [name, value] of Object.entries(fields())) await person.field(name).fill(value);
    await person.button("Zapisz").click();
    await expect(page).toHaveURL(next);
  });
}

test("[F39] the sign-in code, once its flow is forgotten, is asked for by one button; trust stays", async ({
  person,
  page,
  context,
  portal,
}) => {
  await person.reachCode(ANNA);
  await context.clearCookies({ name: /flow$/ });
  await person.open("/home/mfa");
  const main = page.locator("main");
  await expect(main).toContainText("Logujesz się na urządzeniu, które nie jest zaufane.");
  await expect(main.locator("input:not([type=hidden])")).toHaveCount(0);
  await expect(main.getByRole("button")).toHaveText([SEND, "Wstecz"]);
  await person.send(() => person.button(SEND).click());
  await expect(person.field("authorizationCode")).toBeFocused();
  await person.alive();
  await expect(main.getByRole("switch")).toBeChecked();
  await person.confirm(await portal.lastCode(ANNA.phone));
  await expect(page).toHaveURL("/cp");
});

test("[F39] 'Wstecz' leaves before a code is asked for", async ({ person, page, portal, signedIn }) => {
  const messages = await portal.messagesTo(signedIn.phone);
  await person.open("/home/change-password");
  await person.button("Wstecz").click();
  await expect(page).toHaveURL("/cp/profile");
  expect(await portal.messagesTo(signedIn.phone)).toBe(messages);
});
