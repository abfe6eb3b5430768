import type { Page } from "@playwright/test";
import { ANNA } from "../../demo-customers";
import { startPortal, type Portal } from "../../portal";
import { expect, test as base } from "../fixtures";
import { Person } from "../person";

/** A portal of the test's own, with other limits. */
const test = base.extend<{ portalWith: (env: Readonly<Record<string, string>>) => Promise<Portal> }>({
  portalWith: async ({}, use) => {
    const started: Portal[] = [];
    await use(async (env) => {
      const portal = await startPortal({ env });
      started.push(portal);
      return portal;
    });
    await Promise.all(started.map((portal) => portal.stop()));
  },
});

const warning = (page: Page) => page.getByRole("alertdialog", { name: "Czy kontynuować?" });

/** No request is under way any more, and the page knows it: the time of the session runs from here. */
const settled = (page: Page) => expect(page.locator(".spinner")).toHaveCount(0);

test("[C-14] two minutes before a session ends: a warning, and one click goes on", async ({
  person,
  page,
}) => {
  await page.clock.install();
  await person.signIn(ANNA);
  await page.getByRole("link", { name: "Moje dane" }).click();
  await expect(person.heading).toHaveText("Moje dane");
  await settled(page);
  await page.clock.fastForward("12:50");
  await expect(warning(page)).toHaveCount(0);
  await page.clock.fastForward("00:15");
  await expect(warning(page)).toBeVisible();
  await expect(warning(page)).toHaveAccessibleDescription(/^Za\s2 minuty zakończymy sesję\./);
  const goOn = warning(page).getByRole("button", { name: "Zostaję w portalu" });
  await expect(goOn).toBeFocused();
  await page.clock.fastForward("01:05");
  await expect(warning(page)).toHaveAccessibleDescription(/^Za\s1 minutę zakończymy sesję\./);

  const asked = page.waitForRequest(/\.data/);
  await goOn.click();
  await asked;
  await settled(page);
  await expect(warning(page)).toHaveCount(0);
  await page.clock.fastForward("12:30");
  await expect(warning(page)).toHaveCount(0);
  await page.clock.fastForward("00:45");
  await expect(warning(page)).toBeVisible();
  // Esc is no way out, but a way to stay.
  await page.keyboard.press("Escape");
  await page.clock.fastForward("00:01");
  await expect(warning(page)).toHaveCount(0);
  await expect(person.heading).toHaveText("Moje dane");
});

test("on the screen that asks for the code as well; what is typed stays, and has the focus again", async ({
  person,
  page,
}) => {
  await page.clock.install();
  await person.reachCode(ANNA);
  await settled(page);
  await page.clock.fastForward("13:30");
  await expect(warning(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.clock.fastForward("00:01");
  await expect(warning(page)).toHaveCount(0);
  await settled(page);
  await person.field("authorizationCode").fill("12");
  await page.clock.fastForward("13:30");
  await expect(warning(page)).toBeVisible();
  await page.keyboard.press("Enter");
  await page.clock.fastForward("00:01");
  await expect(warning(page)).toHaveCount(0);
  await expect(person.field("authorizationCode")).toHaveValue("12");
  await expect(person.field("authorizationCode")).toBeFocused();
});

test("before the greatest age of a session there is a warning too; it can only be closed", async ({
  page,
  portalWith,
}) => {
  const portal = await portalWith({ LIMIT_SESSION_MAX_SECONDS: String(25 * 60) });
  await page.clock.install();
  const person = await reachCodeOf(portal, page);
  await settled(page);
  await page.clock.fastForward("12:00");
  await person.button("Wyślij kod ponownie").click();
  await expect(page.getByText("Wysłaliśmy nowy SMS o")).toBeVisible();
  await settled(page);
  await page.clock.fastForward("10:00");
  await expect(warning(page)).toHaveCount(0);
  await page.clock.fastForward("01:30");
  await expect(warning(page)).toBeVisible();
  await expect(warning(page).getByRole("button", { name: "Zostaję w portalu" })).toHaveCount(0);
  await warning(page).getByRole("button", { name: "Zamknij" }).click();
  await expect(warning(page)).toHaveCount(0);
});

test("[S36] when time is out the page leads to the sign-in page by itself, which says why", async ({
  page,
  portalWith,
}) => {
  const portal = await portalWith({ LIMIT_SESSION_IDLE_SECONDS: "6" });
  const person = await reachCodeOf(portal, page);
  await expect(warning(page)).toBeVisible();
  await expect(page).toHaveURL(`${portal.origin}/home`, { timeout: 15_000 });
  await expect(person.heading).toHaveText("Zaloguj się");
  await expect(warning(page)).toHaveCount(0);
  await expect(
    page.getByText("Sesja wygasła. Zaloguj się ponownie. Ze względów bezpieczeństwa"),
  ).toBeVisible();
});

/** Up to the screen that asks for the code, in a portal of the test's own. */
async function reachCodeOf(portal: Portal, page: Page): Promise<Person> {
  const person = new Person(page, portal, true);
  await page.goto(`${portal.origin}/home`);
  await person.alive();
  await person.button("Akceptuję i przechodzę dalej").click();
  await expect(person.heading).toHaveText("Zaloguj się");
  await person.alive();
  await person.login(ANNA);
  await expect(person.heading).toHaveText("Potwierdź, że to Ty");
  return person;
}
