import { ANNA } from "../demo-customers";
import { startPortal } from "../portal";
import { Visitor } from "../visitor";
import { expect, test } from "./fixtures";
import { Person } from "./person";

test("[F33] when no code can be sent, the code screen says until when and whom to call; 'Wstecz' leaves", async ({
  page,
  context,
  javaScriptEnabled,
}) => {
  const portal = await startPortal({ env: { LIMIT_SMS_KNOWN_PER_10_MINUTES: "1" } });
  // In another browser, a visitor who knows the password has had the only code that is allowed.
  const elsewhere = new Visitor(portal);
  await elsewhere.accept();
  await elsewhere.begin(ANNA);

  const person = new Person(page, portal, javaScriptEnabled);
  await page.goto(`${portal.origin}/home`);
  await person.button("Akceptuję i przechodzę dalej").click();
  await person.login(ANNA);
  await expect(page).toHaveURL(`${portal.origin}/home/mfa`);
  const main = page.locator("main");
  await expect(main).toContainText(/Kolejny kod wyślemy najwcześniej o\s\d+:\d\d\./);
  await expect(main.getByRole("link", { name: "800 100 200" }).first()).toBeVisible();
  await expect(person.button("Wyślij kod autoryzacyjny")).toHaveCount(0);
  await page.reload();
  await expect(main).toContainText("Kolejny kod wyślemy najwcześniej");
  expect(await portal.messagesTo(ANNA.phone)).toBe(1);
  await person.button("Wstecz").click();
  await expect(page).toHaveURL(`${portal.origin}/home`);
  expect((await context.cookies()).map(({ name }) => name)).not.toContain("session");
  await portal.stop();
});
