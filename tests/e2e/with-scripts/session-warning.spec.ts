import { join } from "node:path";
import type { Page } from "@playwright/test";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { defaultLimits } from "~/platform/config/limits";
import { ANNA } from "../../demo-customers";
import { expect, test } from "../localhost";
import type { Person } from "../person";
import { effectsHaveRun, stopClock, withAnswerOnStoppedClock } from "../requests-of-a-page";

const MINUTE = 60_000;

const warning = (page: Page) => page.getByRole("alertdialog", { name: "Czy chcesz zostać w portalu?" });

/** Advances the page's clock, and expects no warning once the page has noticed. */
async function advanceWithoutWarning(page: Page, time: string): Promise<void> {
  await page.clock.fastForward(time);
  await effectsHaveRun(page);
  await expect(warning(page)).toHaveCount(0);
}

test("[C-14] two minutes before a session ends: a warning, and one click goes on", async ({
  person,
  page,
  portal,
}) => {
  await page.clock.install();
  await person.reachCode(ANNA);
  await stopClock(page);
  const code = await portal.lastCode(ANNA.phone);
  await withAnswerOnStoppedClock(page, () => person.confirm(code));
  await expect(person.heading).toHaveText("Moje polisy");
  await person.alive();
  await advanceWithoutWarning(page, "10:00");
  await page.getByRole("link", { name: "Moje dane" }).click();
  await expect(person.heading).toHaveText("Moje dane");
  await person.alive();
  await advanceWithoutWarning(page, "12:50");
  await page.clock.fastForward("00:15");
  await expect(warning(page)).toBeVisible();
  await expect(warning(page)).toHaveAccessibleDescription(/^Za niecałe 2\sminuty zakończymy sesję\./);
  const goOn = warning(page).getByRole("button", { name: "Zostaję w portalu" });
  await expect(goOn).toBeFocused();
  await page.clock.fastForward("01:05");
  await expect(warning(page)).toHaveAccessibleDescription(
    "Za chwilę zakończymy sesję. Niezapisane dane przepadną.",
  );

  await withAnswerOnStoppedClock(page, () => goOn.click());
  await expect(warning(page)).toHaveCount(0);
  await advanceWithoutWarning(page, "12:50");
  await page.clock.fastForward("00:15");
  await expect(warning(page)).toBeVisible();
  // Esc is no way out, but a way to stay.
  await withAnswerOnStoppedClock(page, () => page.keyboard.press("Escape"));
  await expect(warning(page)).toHaveCount(0);
  await advanceWithoutWarning(page, "12:50");
  await expect(person.heading).toHaveText("Moje dane");
});

test("on the screen that asks for the code as well; what is typed stays, and has the focus again", async ({
  person,
  page,
}) => {
  await page.clock.install();
  await reachCodeWithClockStopped(person, page);
  await page.clock.fastForward("13:30");
  await expect(warning(page)).toBeVisible();
  await withAnswerOnStoppedClock(page, () => page.keyboard.press("Escape"));
  await expect(warning(page)).toHaveCount(0);
  await person.field("authorizationCode").fill("12");
  await page.clock.fastForward("13:30");
  await expect(warning(page).getByRole("button", { name: "Zostaję w portalu" })).toBeFocused();
  await withAnswerOnStoppedClock(page, () => page.keyboard.press("Enter"));
  await expect(warning(page)).toHaveCount(0);
  await expect(person.field("authorizationCode")).toHaveValue("12");
  await expect(person.field("authorizationCode")).toBeFocused();
});

test("before a session reaches its maximum age there is a warning too; it can only be closed", async ({
  person,
  page,
}) => {
  await page.clock.install();
  await reachCodeWithClockStopped(person, page);
  await advanceWithoutWarning(page, "12:00");
  // As if this tab had first seen the session 13 minutes before its maximum age.
  await page.evaluate(
    (age) => sessionStorage.setItem("session-began", String(Date.now() - age)),
    defaultLimits("demo").SESSION_MAX_SECONDS * 1000 - 13 * MINUTE,
  );
  await withAnswerOnStoppedClock(page, () => person.button("Wyślij kod ponownie").click());
  await expect(page.getByText("Wysłaliśmy nowy SMS o")).toBeVisible();
  await advanceWithoutWarning(page, "10:00");
  await page.clock.fastForward("01:30");
  await expect(warning(page).getByRole("button", { name: "Zamknij" })).toBeFocused();
  await expect(warning(page).getByRole("button", { name: "Zostaję w portalu" })).toHaveCount(0);
  await warning(page).getByRole("button", { name: "Zamknij" }).click();
  await expect(warning(page)).toHaveCount(0);
});

test("[S36] when time is up, the page leads to the sign-in page by itself, which says why", async ({
  person,
  page,
  local,
}) => {
  await page.clock.install();
  await reachCodeWithClockStopped(person, page);
  await page.clock.fastForward("13:30");
  await expect(warning(page)).toBeVisible();
  // The server doesn't follow the page's clock.
  const database = new SqliteConnection(join(local.dataDir, "portal.db"));
  database.rows("update sessions set last_seen_at = last_seen_at - ?", 15 * MINUTE);
  database.close();
  await expect(person.heading).toHaveText("Potwierdź, że to Ty");
  await page.clock.fastForward("01:40");
  await expect(page).toHaveURL("/home");
  await expect(person.heading).toHaveText("Zaloguj się");
  await expect(warning(page)).toHaveCount(0);
  await expect(page.getByText("Sesja wygasła. Zaloguj się ponownie. Dla bezpieczeństwa")).toBeVisible();
});

test("its script is loaded for a session only; if that fails, the next answer loads it", async ({
  person,
  page,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/net::ERR_FAILED/);
  let asked = 0;
  await page.route("**/session-warning-*.js", (route) => {
    asked += 1;
    return asked === 1 ? route.abort() : route.continue();
  });
  await page.clock.install();
  await person.arrive();
  await page.waitForLoadState("networkidle");
  expect(asked).toBe(0);
  await person.login(ANNA);
  await expect(person.heading).toHaveText("Potwierdź, że to Ty");
  await expect.poll(() => asked).toBe(1);
  await stopClock(page);
  await withAnswerOnStoppedClock(page, () => person.confirm("000000"));
  await page.clock.fastForward("13:30");
  await expect(warning(page)).toBeVisible();
});

/** Goes as far as the screen that asks for the code, with the page's clock stopped: the session has just begun. */
async function reachCodeWithClockStopped(person: Person, page: Page): Promise<void> {
  await person.arrive();
  await stopClock(page);
  await withAnswerOnStoppedClock(page, () => person.login(ANNA));
  await expect(person.heading).toHaveText("Potwierdź, że to Ty");
  // The heading is there before the scripts, which begin to count when they start.
  await person.alive();
}
