import type { Page } from "@playwright/test";
import { faultsByAxe } from "./faults-by-axe";
import { faultsOfFields } from "./faults-of-fields";
import { motion, smallTargets } from "./faults-of-look";
import { faultsOfPage } from "./faults-of-page";
import { faultsOfWidth } from "./faults-of-width";
import { expect, listenToConsole, lookedAt, open, SCREENS, statesOf, test } from "./gallery";

/** A title: the name of the screen, then the name of the portal. */
const PATTERN = /^(Błąd: )?([^–|]+ – )?(Logowanie|Portal) klienta \| Tarnea Ubezpieczenia$/;

// One test goes through all states of a screen, since opening a page takes longer than checking it.
test("every screen of the gallery is checked", async ({ page }) => {
  const screens = (await statesOf(page)).map((href) => href.split("/")[3] ?? "");
  expect([...new Set(screens)].sort()).toEqual([...SCREENS].sort());
});

for (const screen of SCREENS) {
  test(`[C-01, C-02, C-04, C-05, C-06, C-07, C-11, C-20, C-32, C-34, C-36, C-40, C-50, C-51, C-52, C-53, F11, F18] ${screen} keeps the rules for pages, fields, look and width, and axe finds nothing`, async ({
    page,
    portal,
    javaScriptEnabled,
  }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const said = listenToConsole(page);
    for (const state of await lookedAt(page, screen)) {
      await page.setViewportSize({ width: 360, height: 800 });
      await open(page, portal, state, javaScriptEnabled);
      expect.soft(said.splice(0), state).toEqual([]);
      expect.soft(await faultsOfPage(page), state).toEqual([]);
      expect.soft(await faultsOfFields(page), state).toEqual([]);
      expect.soft(await smallTargets(page), state).toEqual([]);
      expect.soft(await motion(page), state).toEqual([]);
      await expectTitle(page, screen, state);
      expect.soft(await faultsByAxe(page), `${state} at 360 px`).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: "dark" });
      expect.soft(await faultsByAxe(page), `${state} at 1280 px, dark`).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
      expect.soft(await faultsOfWidth(page), state).toEqual([]);
    }
  });
}

test("axe finds nothing on the gallery's own page, which shows the components", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery", javaScriptEnabled);
  expect(await faultsByAxe(page)).toEqual([]);
});

async function expectTitle(page: Page, screen: string, state: string): Promise<void> {
  const refused = await page.locator("main [role=alert], main dialog[open], main [aria-invalid]").count();
  const title = await page.title();
  expect.soft(title, state).toMatch(PATTERN);
  const faulty = refused > 0 || ["not-found", "service"].includes(screen);
  expect.soft(title.startsWith("Błąd: "), `${state}: ${title}`).toBe(faulty);
}

/** The screens after the first of each journey, and the fields typed on the first. */
const SECOND_STEPS = {
  "set-password": ["policyNo", "pid"],
  "reset-password-submit": ["username"],
  "remind-login-submit": ["policyNo"],
  "remind-login-final": ["username"],
} as const;

test("[C-11] what was typed on one screen is not asked for on the next", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  for (const [screen, typed] of Object.entries(SECOND_STEPS)) {
    await open(page, portal, `/demo/gallery/${screen}`, javaScriptEnabled);
    for (const name of typed) {
      const asked = page.locator(
        `main input[name="${name}"]:not([readonly]):not([disabled]):not([type=hidden])`,
      );
      await expect(asked, `${name} on ${screen}`).toHaveCount(0);
    }
  }
});

test("[C-02] no two screens have the same title", async ({ request }) => {
  const titles: string[] = [];
  for (const screen of SCREENS) {
    const html = await (await request.get(`/demo/gallery/${screen}`)).text();
    titles.push(/<title>(.*)<\/title>/.exec(html)?.[1] ?? "");
  }
  expect(titles).not.toContain("");
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});
