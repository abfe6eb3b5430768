import type { Page } from "@playwright/test";
import { PIOTR } from "../../demo-customers";
import { LIKE_ANOTHER } from "../../release-run";
import { expect, test } from "../fixtures";
import { Person } from "../person";
import { effectsHaveRun } from "../requests-of-a-page";

const BLOCKED = "Portal jest już otwarty w innej karcie";
const overlay = (page: Page) => page.getByRole("alertdialog", { name: BLOCKED });

/** Asks again in a blocked tab, until the answer comes: another tab is still the first one. */
async function checkInVain(page: Page): Promise<void> {
  await overlay(page).getByRole("button", { name: "Sprawdź ponownie" }).click();
  await expect(overlay(page).getByRole("status")).toHaveText(BLOCKED);
}

test("§2 [C-17] in a second tab: the message, over a page that is out of reach", async ({
  person,
  context,
  portal,
}) => {
  await person.arrive();
  const second = await context.newPage();
  await second.goto("/home");
  await expect(overlay(second)).toBeVisible();
  await expect(overlay(second)).toHaveAccessibleDescription(
    /^Portal klienta można otworzyć tylko w\sjednej karcie tej samej przeglądarki\./,
  );
  await expect(overlay(second).getByRole("button", { name: "Sprawdź ponownie" })).toBeFocused();
  await expect(second.locator("[inert] main")).toHaveCount(1);
  const field = new Person(second, portal, true).field("username");
  await field.evaluate((input) => {
    input.focus();
  });
  await expect(field).not.toBeFocused();

  await second.keyboard.press("Escape");
  await second.keyboard.press("Escape");
  await checkInVain(second);
  // The first tab has answered the second one twice, and is not blocked by it.
  await expect(overlay(person.page)).toHaveCount(0);
  await second.keyboard.press("Tab");
  await second.keyboard.press("Tab");
  expect(await second.evaluate(() => document.activeElement?.closest("main"))).toBeNull();
});

test("§2 the second tab comes alive by itself when the first one closes, and nothing typed is lost", async ({
  person,
  page,
  context,
  portal,
}) => {
  await person.arrive();
  // Something is typed here before this becomes the second tab.
  const second = new Person(await context.newPage(), portal, true);
  let letThrough = () => {};
  const typed = new Promise<void>((resolve) => (letThrough = resolve));
  await second.page.route("**/assets/*.js", async (route) => {
    await typed;
    await route.continue();
  });
  await second.page.goto("/home", { waitUntil: "commit" });
  await second.field("username").fill(PIOTR.username);
  await second.field("password").fill(PIOTR.password);
  letThrough();
  await expect(overlay(second.page)).toBeVisible();
  await page.close();
  await expect(overlay(second.page)).toHaveCount(0);
  await expect(second.field("username")).toHaveValue(PIOTR.username);
  await expect(second.field("password")).toHaveValue(PIOTR.password);
  await expect(second.field("password")).toBeFocused();
  await second.button("Zaloguj się").click();
  await expect(second.page).toHaveURL("/home/mfa");
});

test("§2 'check again' finds that the first tab has gone elsewhere", async ({ person, page, context }) => {
  await person.arrive();
  const second = await context.newPage();
  await second.clock.install();
  await second.goto("/home");
  await expect(overlay(second)).toBeVisible();
  // By itself it would come alive a little later: only the button can be the reason here.
  await second.clock.pauseAt(Date.now() + 60_000);
  await page.goto("/service");
  await overlay(second).getByRole("button", { name: "Sprawdź ponownie" }).click();
  await second.clock.runFor(200);
  await expect(overlay(second)).toHaveCount(0);
  await expect(second.getByRole("textbox", { name: "Nazwa użytkownika" })).toBeEnabled();
});

test("the error page is left alone: it is never blocked, and blocks no other tab", async ({
  person,
  page,
  context,
}) => {
  await person.arrive();
  const other = await context.newPage();
  await other.goto("/service");
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  await new Person(other, person.portal, true).alive();
  // All tabs hear the answer to a second one: since that one is blocked, the error page would be, too.
  const second = await context.newPage();
  await second.goto("/home");
  await expect(overlay(second)).toBeVisible();
  await effectsHaveRun(other);
  await expect(overlay(other)).toHaveCount(0);
  await expect(other.locator("[inert]")).toHaveCount(0);
  await page.close();
  await overlay(second).getByRole("button", { name: "Sprawdź ponownie" }).click();
  await expect(overlay(second)).toHaveCount(0);
  await expect(second.locator("[inert]")).toHaveCount(0);
});

test(
  "without BroadcastChannel tabs find each other through storage, and leave nothing in it",
  { tag: LIKE_ANOTHER },
  async ({ person, page, context }) => {
    await context.addInitScript(() => {
      Reflect.deleteProperty(window, "BroadcastChannel");
    });
    await person.arrive();
    const second = await context.newPage();
    await second.goto("/home");
    await expect(overlay(second)).toBeVisible();
    expect(await second.evaluate(() => localStorage.length)).toBe(0);
    await page.close();
    await expect(overlay(second)).toHaveCount(0);
  },
);

test(
  "[C-17] without `inert` the page behind the message is hidden",
  { tag: LIKE_ANOTHER },
  async ({ person, context }) => {
    await context.addInitScript(() => {
      Reflect.deleteProperty(HTMLElement.prototype, "inert");
    });
    await person.arrive();
    const second = await context.newPage();
    await second.goto("/home");
    await expect(overlay(second)).toBeVisible();
    await expect(second.locator('main [name="username"]')).toBeHidden();
    await expect(second.locator("main h1")).toBeHidden();
  },
);

test("a blocked tab comes alive with what is true by then: the first one has signed out", async ({
  person,
  page,
  context,
}) => {
  await person.signIn(PIOTR);
  const second = await context.newPage();
  await second.goto("/cp");
  await expect(overlay(second)).toBeVisible();
  await person.signOut();
  await page.close();
  await expect(second).toHaveURL("/home");
  await expect(second.getByText(PIOTR.policyNo)).toHaveCount(0);
});

test("§2 the first tab stays the first while its next page waits three seconds for the script", async ({
  person,
  page,
  context,
}) => {
  await person.arrive();
  const second = await context.newPage();
  await second.clock.install();
  await second.goto("/home");
  await expect(overlay(second)).toBeVisible();
  let letThrough = () => {};
  const gate = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route("**/assets/*.js", async (route) => {
    await gate;
    await route.continue();
  });
  await page.getByRole("link", { name: "Nie pamiętam hasła" }).click();
  await expect(person.heading).toHaveText("Nie pamiętasz hasła?");
  await second.clock.runFor(3000);
  await effectsHaveRun(second);
  await expect(overlay(second)).toBeVisible();
  letThrough();
  await person.alive();
  await effectsHaveRun(page);
  await expect(overlay(page)).toHaveCount(0);
  await expect(overlay(second)).toBeVisible();
});

test("in a second tab the sign-in that was begun goes on, once the first one is closed", async ({
  person,
  page,
  context,
  portal,
}) => {
  await person.reachCode(PIOTR);
  const second = new Person(await context.newPage(), portal, true);
  await second.page.goto("/home");
  await expect(second.page).toHaveURL("/home/mfa");
  await expect(overlay(second.page)).toBeVisible();
  await page.close();
  await expect(overlay(second.page)).toHaveCount(0);
  await second.confirm(await portal.lastCode(PIOTR.phone));
  await expect(second.page).toHaveURL("/cp");
  await expect(second.heading).toHaveText("Moje polisy");
});
