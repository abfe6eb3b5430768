import type { Page } from "@playwright/test";
import type { RegisteredCustomer } from "../demo-customers";
import { Visitor } from "../visitor";
import { expect, openPart, takeOver, test as base } from "./account";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
// Playwright puts a space before hidden text, and so before its colon.
const ON_FIREFOX = "Firefox 140, Windows";

interface Fixtures {
  /** Signs a customer in elsewhere, in another browser without scripts. It closes after the test. */
  readonly elsewhere: (customer: RegisteredCustomer) => Promise<Page>;
}

const test = base.extend<Fixtures>({
  elsewhere: async ({ browser, portal }, use) => {
    const opened: Page[] = [];
    await use(async (customer) => {
      const context = await browser.newContext({
        baseURL: portal.origin,
        ignoreHTTPSErrors: true,
        userAgent: FIREFOX,
        javaScriptEnabled: false,
      });
      const page = await context.newPage();
      opened.push(page);
      await page.goto("/home");
      await page.getByRole("button", { name: "Akceptuję i przechodzę dalej" }).click();
      await page.locator('main [name="username"]').fill(customer.username);
      await page.locator('main [name="password"]').fill(customer.password);
      await page.getByRole("button", { name: "Zaloguj się" }).click();
      await expect(page).toHaveURL("/home/mfa");
      await page.locator('main [name="authorizationCode"]').fill(await portal.lastCode(customer.phone));
      await page.getByRole("button", { name: "Potwierdź" }).click();
      await expect(page).toHaveURL("/cp");
      return page;
    });
    for (const page of opened) await page.context().close();
  },
});

test("[S40] a customer sees where they are signed in, ends the session in another browser, and that one is told", async ({
  person,
  page,
  elsewhere,
  signedIn,
}) => {
  const other = await elsewhere(signedIn);
  await person.open("/cp/profile");
  const sessions = await openPart(page, "Zalogowane urządzenia");
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  const mine = sessions.getByRole("listitem").filter({ hasText: "To urządzenie" });
  await expect(mine).toHaveCount(1);
  await expect(mine.getByRole("button")).toHaveCount(0);
  await sessions.getByRole("button", { name: `Wyloguj : urządzenie ${ON_FIREFOX}` }).click();
  await expect(page.getByText("Urządzenie zostało wylogowane.")).toBeVisible();
  await expect(page).toHaveURL("/cp/profile");
  await expect(sessions.getByRole("listitem")).toHaveText([/To urządzenie/]);
  await expect(sessions.getByRole("button")).toHaveCount(0);

  await other.goto("/cp");
  await expect(other).toHaveURL("/home");
  await expect(other.getByText("Sesja wygasła. Zaloguj się ponownie.")).toBeVisible();
});

test("[S40] all other sessions end at once, and the one that ends them stays", async ({
  person,
  page,
  elsewhere,
  signedIn,
}) => {
  const others = [await elsewhere(signedIn), await elsewhere(signedIn)];
  await person.open("/cp/profile");
  const sessions = await openPart(page, "Zalogowane urządzenia");
  await expect(sessions.getByRole("listitem")).toHaveCount(3);
  await person.button("Wyloguj wszystkie pozostałe").click();
  await expect(page.getByText("Pozostałe urządzenia zostały wylogowane.")).toBeVisible();
  await expect(sessions.getByRole("listitem")).toHaveText([/To urządzenie/]);
  for (const other of others) {
    await other.goto("/cp/profile");
    await expect(other).toHaveURL("/home");
  }
  await person.open("/cp");
});

test("the activity shows what was done, when and on which device, and the page shows the previous sign-in", async ({
  person,
  page,
  elsewhere,
  context,
  portal,
  customer,
}) => {
  await elsewhere(customer);
  const visitor = new Visitor(portal);
  await visitor.signIn(customer, true);
  await takeOver(context, portal, visitor);
  await person.open("/cp/profile");
  await expect(page.locator("main")).toContainText(
    new RegExp(`Poprzednie logowanie: (dziś|wczoraj) \\d{1,2}:\\d\\d, ${ON_FIREFOX.replaceAll(" ", "\\s")}`),
  );
  await expect(page.locator("main section").filter({ hasText: "Dane do logowania" })).toContainText(
    `••• ••• ${customer.phone.slice(-3)}`,
  );
  const events = (await openPart(page, "Ostatnia aktywność")).getByRole("listitem");
  const onFirefox = events.filter({ hasText: `na urządzeniu: ${ON_FIREFOX}` });
  await expect(onFirefox.filter({ hasText: "Dodano zaufane urządzenie" })).toHaveCount(1);
  await expect(onFirefox.filter({ hasText: "Zalogowano" })).toHaveCount(1);
  await expect((await openPart(page, "Zaufane urządzenia")).getByText("To urządzenie")).toBeVisible();

  const wrong = new Visitor(portal);
  await wrong.accept();
  await wrong.login({ ...customer, password: "Zle-Haslo-2026!" });
  await person.open("/cp/profile");
  await openPart(page, "Ostatnia aktywność");
  await expect(events.first()).toContainText("Nieudana próba logowania");
});

test("of many events the page shows the newest, and a link leads to all of them", async ({
  person,
  page,
  context,
  portal,
  customer,
}) => {
  const visitor = new Visitor(portal);
  await visitor.signIn(customer, true);
  for (let again = 0; again < 10; again += 1) {
    await visitor.post("/home/logout");
    await visitor.login(customer);
  }
  await takeOver(context, portal, visitor);
  await person.open("/cp/profile");
  const activity = await openPart(page, "Ostatnia aktywność");
  const events = activity.getByRole("listitem");
  await expect(events).toHaveCount(10);
  await page.getByRole("link", { name: /^Pokaż wszystkie zdarzenia/ }).click();
  await expect(page).toHaveURL("/cp/profile?activity=all#activity");
  await expect(events.nth(10)).toBeVisible();
  await expect(activity).toBeInViewport();
  await page.getByRole("link", { name: "Pokaż tylko najnowsze" }).click();
  // Its address leads into it, so the browser opens it.
  await expect(events).toHaveCount(10);
});

test("[S56] signing out empties the browser's storage, and keeps the consent and the trust in the device", async ({
  person,
  page,
  context,
  portal,
  customer,
  javaScriptEnabled,
}) => {
  const visitor = new Visitor(portal);
  await visitor.signIn(customer, true);
  await takeOver(context, portal, visitor);
  await person.open("/cp");
  const stored = () => page.evaluate(() => localStorage.length);
  if (javaScriptEnabled) {
    await page.evaluate(() => {
      localStorage.setItem("left", "behind");
    });
    expect(await stored()).toBe(1);
  }
  const answer = page.waitForResponse(
    (each) => each.request().method() === "POST" && new URL(each.url()).pathname === "/home/logout",
  );
  await person.signOut();
  expect(await (await answer).headerValue("Clear-Site-Data")).toBe('"cache", "storage"');
  if (javaScriptEnabled) expect(await stored()).toBe(0);
  await person.open("/home");
  await person.login(customer);
  await expect(page).toHaveURL("/cp");
});
