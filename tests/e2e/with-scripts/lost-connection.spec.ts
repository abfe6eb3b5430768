import type { Page, Route } from "@playwright/test";
import { ANNA, JAN, PIOTR } from "../../demo-customers";
import { wrongCode } from "../../portal";
import { LIKE_ANOTHER } from "../../release-run";
import { Visitor } from "../../visitor";
import { expect, test } from "../fixtures";

const NO_CONNECTION = "Nie ma połączenia z portalem";
/** Chromium's own message about a request that got no answer. */
const NOT_REACHED = /^Failed to load resource: net::ERR_|the server responded with a status of 502/;

test.beforeEach(({ expectedOnConsole }) => {
  expectedOnConsole.push(NOT_REACHED);
});

test("[F14] a form sent without a connection keeps what was typed, says so, and the same button tries again", async ({
  person,
  page,
  context,
  portal,
}) => {
  await person.arrive();
  const messages = await portal.messagesTo(ANNA.phone);
  await context.setOffline(true);
  await person.login(ANNA);
  await expect(person.alert).toContainText(NO_CONNECTION);
  await expect(person.alert).toBeFocused();
  await expect(person.field("username")).toHaveValue(ANNA.username);
  await expect(person.field("password")).toHaveValue(ANNA.password);
  await expect(page.locator("main")).not.toHaveAttribute("aria-busy");

  const button = person.button("Zaloguj się");
  await expect(button).not.toHaveAttribute("aria-disabled");
  const sentAgain = page.waitForRequest((request) => request.method() === "POST");
  await button.click();
  await sentAgain;
  await expect(person.alert).toContainText(NO_CONNECTION);

  await context.setOffline(false);
  await button.click();
  await expect(page).toHaveURL("/home/mfa");
  await expect(person.heading).toHaveText("Potwierdź, że to Ty");
  await expect(person.alert).toHaveCount(0);
  expect(await portal.messagesTo(ANNA.phone)).toBe(messages + 1);
});

test("[F14] a proxy's own page counts as no connection", async ({ person, page, nextNewcomer }) => {
  const { policyNo, pid } = nextNewcomer();
  await person.arrive();
  await person.open("/home/register");
  const proxy = { status: 502, contentType: "text/html", body: "<h1>502 Bad Gateway</h1>" };
  const whenSent = (url: URL) => url.pathname === "/home/register";
  await page.route(whenSent, (route) => route.fulfill(proxy));
  await person.field("policyNo").fill(policyNo);
  await person.field("pid").fill(pid);
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(person.alert).toContainText(NO_CONNECTION);
  await expect(person.field("pid")).toHaveValue(pid);
  await page.unroute(whenSent);
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(page).toHaveURL("/home/set-password");
  await expect(person.alert).toHaveCount(0);
});

test("[F14] a link followed without a connection keeps the page", async ({ person, page, context }) => {
  await person.arrive();
  await person.field("username").fill(JAN.username);
  await context.setOffline(true);
  const link = page.getByRole("link", { name: "Nie pamiętam hasła" });
  await link.click();
  await expect(person.alert).toContainText(NO_CONNECTION);
  await expect(page).toHaveURL("/home");
  await expect(person.field("username")).toHaveValue(JAN.username);
  await context.setOffline(false);
  await link.click();
  await expect(page).toHaveURL("/home/reset-password-init");
  await expect(person.alert).toHaveCount(0);
});

test("[F14] half an answer counts as no connection", async ({ person, page }) => {
  await page.addInitScript(() => {
    const whole = window.fetch.bind(window);
    const half = () => {
      const body = new ReadableStream({
        pull: (stream) => {
          stream.error(new TypeError("network error"));
        },
      });
      return Promise.resolve(new Response(body, { headers: { "X-Request-Id": "polowa" } }));
    };
    window.fetch = (...request) => ("cutOff" in window ? half() : whole(...request));
  });
  await person.arrive();
  await page.evaluate(() => Reflect.set(window, "cutOff", true));
  await person.login(JAN);
  await expect(person.alert).toContainText(NO_CONNECTION);
  await page.evaluate(() => Reflect.deleteProperty(window, "cutOff"));
  await person.button("Zaloguj się").click();
  await expect(page).toHaveURL("/home/mfa");
});

test("[F14] an open dialog says so itself, and its button tries again", async ({
  person,
  page,
  context,
  portal,
}) => {
  const visitor = new Visitor(portal);
  await visitor.begin(PIOTR);
  const code = await portal.lastCode(PIOTR.phone);
  for (let nth = 1; nth <= 4; nth += 1) await visitor.confirm(wrongCode(code, nth));
  await person.takeOver(visitor);
  await person.open("/home/mfa");
  await person.confirm(wrongCode(code, 5));
  const dialog = page.getByRole("dialog", { name: "Kod autoryzacyjny zablokowany" });
  await expect(dialog).toBeVisible();
  await context.setOffline(true);
  const button = dialog.getByRole("button", { name: "Wyślij nowy kod" });
  await button.click();
  await expect(dialog.getByRole("alert")).toContainText(NO_CONNECTION);
  await expect(dialog.getByRole("alert")).toBeFocused();
  await context.setOffline(false);
  await button.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Wysłaliśmy nowy SMS o")).toBeVisible();
});

test("[F14, S55] a page that waits for its connection doesn't outlive the session", async ({
  person,
  page,
  context,
}) => {
  await page.clock.install();
  await person.signIn(JAN);
  await person.open("/home/change-password");
  await context.setOffline(true);
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(person.alert).toContainText(NO_CONNECTION);
  await context.setOffline(false);
  await context.request.post("/home/logout", { form: {} });
  await page.clock.runFor("01:00:00");
  await expect(page).toHaveURL("/home");
  await expect(page.getByText(JAN.name)).toHaveCount(0);
});

/** What can break the requests of scripts, while the browser's own get through. */
const BREAKS: readonly (readonly [what: string, answer: (route: Route) => Promise<void>])[] = [
  ["blocks them", (route) => route.abort("blockedbyclient")],
  ["takes X-Request-Id from answers", (route) => withoutHeader(route, "x-request-id")],
  ["takes X-Location from answers", (route) => withoutHeader(route, "x-location")],
];

async function withoutHeader(route: Route, name: string): Promise<void> {
  const response = await route.fetch({ maxRedirects: 0 });
  const headers = Object.entries(response.headers()).filter(([each]) => each !== name);
  await route.fulfill({ response, headers: Object.fromEntries(headers) });
}

/** Breaks all requests that scripts make. */
async function breakScripts(page: Page, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route("**", (route) =>
    route.request().resourceType() === "fetch" ? answer(route) : route.fallback(),
  );
}

for (const [nth, [what, answer]] of BREAKS.entries())
  test(
    `[F14] if something ${what}, the second press is the browser's own`,
    { tag: nth === 0 ? [] : LIKE_ANOTHER },
    async ({ person, page }) => {
      await person.arrive();
      await breakScripts(page, answer);
      await person.login(JAN);
      await expect(person.alert).toContainText(NO_CONNECTION);
      await expect(person.heading).toHaveText("Zaloguj się");
      await person.button("Zaloguj się").click();
      await expect(page).toHaveURL("/home/mfa");
    },
  );

test("[F14] if scripts' requests are blocked, the second press changes the language", async ({
  person,
  page,
}) => {
  await person.arrive();
  await breakScripts(page, (route) => route.abort("blockedbyclient"));
  const link = page.getByRole("contentinfo").getByRole("link", { name: "English" });
  await link.click();
  await expect(person.alert).toContainText(NO_CONNECTION);
  await link.click();
  await expect(person.heading).toHaveText("Sign in");
});
