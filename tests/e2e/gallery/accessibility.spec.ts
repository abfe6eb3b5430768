import axe from "axe-core";
import type { Page } from "@playwright/test";
import { expect, open, SCREENS, statesOf, test } from "./gallery";

/** WCAG 2.2 A and AA, and what axe calls best practice. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// One test walks all states of a screen.
test.describe.configure({ timeout: 120_000 });

test("every screen of the gallery is looked at", async ({ page }) => {
  const screens = (await statesOf(page)).map((href) => href.split("/")[3] ?? "");
  expect([...new Set(screens)].sort()).toEqual([...SCREENS].sort());
});

for (const screen of SCREENS) {
  test(`axe finds nothing on ${screen} in any state, on a phone and on a desk`, async ({
    page,
    portal,
    javaScriptEnabled,
  }) => {
    for (const state of await statesOf(page, screen)) {
      await page.setViewportSize({ width: 360, height: 800 });
      await open(page, portal, state, javaScriptEnabled);
      expect.soft(await findings(page), `${state} at 360 px`).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
      expect.soft(await findings(page), `${state} at 1280 px`).toEqual([]);
    }
  });
}

test("axe finds nothing on the gallery's own page, where the components are", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery", javaScriptEnabled);
  expect(await findings(page)).toEqual([]);
});

/** What axe finds: rule, and where. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (tags) =>
      (window as unknown as { axe: typeof axe }).axe.run({ runOnly: tags, resultTypes: ["violations"] }),
    TAGS,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
