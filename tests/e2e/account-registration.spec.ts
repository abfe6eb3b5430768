import { COMPANY, KRYSTYNA, OLENA } from "../demo-customers";
import { FIRST_PASSWORD } from "../new-account";
import { expect, test } from "./account";
import type { Person } from "./person";

const SEND = "Wyślij kod autoryzacyjny";

/** From the sign-in page to the screen that asks for code and password. */
async function beginRegistration(person: Person, { policyNo, pid }: { policyNo: string; pid: string }) {
  await person.arrive();
  await person.page.locator("main").getByRole("link", { name: "Zarejestruj się" }).click();
  await expect(person.page).toHaveURL("/home/register");
  await person.alive();
  await person.field("policyNo").fill(policyNo);
  await person.field("pid").fill(pid);
  await person.button(SEND).click();
  await expect(person.page).toHaveURL("/home/set-password");
  await person.alive();
}

/** [F36] Both are shown, the identifier by its end, and the way back keeps them. */
async function showsWhatWasTyped(person: Person, { policyNo, pid }: { policyNo: string; pid: string }) {
  const { page } = person;
  await expect(page.locator("main")).toContainText(`Numer polisy lub wniosku: ${policyNo}`);
  await expect(page.locator("main")).toContainText(`••${pid.slice(-2)}`);
  await expect(page.locator("main")).not.toContainText(pid);
  await page.getByRole("link", { name: "Popraw" }).click();
  await expect(page).toHaveURL("/home/register");
  await person.alive();
  await expect(person.field("policyNo")).toHaveValue(policyNo);
  // It is kept as it was sent, in capitals (specification §2, Register).
  await expect(person.field("pid")).toHaveValue(new RegExp(`^${pid}$`, "i"));
  await person.button(SEND).click();
  await expect(page).toHaveURL("/home/set-password");
  await person.alive();
}

async function setPassword(person: Person, code: string, password = FIRST_PASSWORD) {
  await person.field("authorizationCode").fill(code);
  await person.field("newPassword").fill(password);
  await person.field("newPasswordRepeat").fill(password);
  await person.button("Zapisz").click();
}

for (const [kind, customer] of [
  [
    "an individual, by PESEL with a space, and the number with an en dash [F29]",
    { ...KRYSTYNA, pid: "720908 11112", policyNo: "POL\u2013200001" },
  ],
  [
    "a person without a PESEL, by an identity document in small letters",
    { ...OLENA, pid: OLENA.pid.toLowerCase() },
  ],
  [
    "a company's representative, by NIP with hyphens, and the number with a space [F29]",
    { ...COMPANY, pid: "951-234-56-75", policyNo: "POL 200003" },
  ],
] as const) {
  test(`§1 §4 [F36] registration: ${kind}, and on to the portal without changing the username`, async ({
    person,
    page,
    portal,
  }) => {
    await beginRegistration(person, customer);
    await expect(page.getByText("Krok 2 z 2")).toBeVisible();
    await showsWhatWasTyped(person, customer);
    await setPassword(person, await portal.lastCode(customer.phone));
    await expect(page).toHaveURL("/home/confirm-login");
    await person.alive();
    const name = page.getByLabel("Twoja nazwa użytkownika");
    await expect(name).toBeDisabled();
    await expect(name).toHaveValue(/^klient\d{8}$/);
    await page.getByRole("link", { name: "Zostaw tę nazwę" }).click();
    await expect(page).toHaveURL("/cp");
    await expect(page.getByRole("banner")).toContainText(customer.name);
  });
}

test("§4 the generated username is changed after registering: to /cp, out, and in with the new one", async ({
  person,
  page,
  portal,
  newcomer,
}) => {
  await beginRegistration(person, newcomer);
  await setPassword(person, await portal.lastCode(newcomer.phone));
  await expect(page).toHaveURL("/home/confirm-login");
  await person.alive();
  await person.button("Zmień nazwę użytkownika").click();
  await expect(page).toHaveURL("/home/change-login");
  await person.alive();
  const username = `Nowa.Nazwa-${newcomer.pid}@ż`;
  await person.field("authorizationCode").fill(await portal.lastCode(newcomer.phone));
  await person.field("newUsername").fill(username);
  await person.field("newUsernameRepeat").fill(username);
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/cp");
  await person.alive();
  await person.signOut();
  await page.getByRole("link", { name: "Zaloguj się ponownie" }).click();
  await expect(page).toHaveURL("/home");
  await person.alive();
  await person.login({ username: username.toLowerCase(), password: FIRST_PASSWORD });
  await expect(page).toHaveURL("/home/mfa");
  await person.alive();
  await person.confirm(await portal.lastCode(newcomer.phone));
  await expect(page).toHaveURL("/cp");
});

test("reload, back and forward: the journey is where it was, and nothing is sent again", async ({
  person,
  page,
  portal,
  newcomer,
}) => {
  await beginRegistration(person, newcomer);
  await page.reload();
  await person.alive();
  await page.goBack();
  await expect(page).toHaveURL("/home/register");
  await page.goForward();
  await expect(page).toHaveURL("/home/set-password");
  await person.alive();
  await setPassword(person, await portal.lastCode(newcomer.phone));
  await expect(page).toHaveURL("/home/confirm-login");
  expect(await portal.messagesTo(newcomer.phone)).toBe(1);
  // A finished journey does not open again.
  await page.goBack();
  await expect(page).toHaveURL("/cp");
  await expect(person.heading).toHaveText("Moje polisy");
});
