import type { Page } from "@playwright/test";
import { expect, open, SCREENS, test } from "./gallery";

/** The two focus rings: one of them has contrast on any surface. */
const RING = {
  outline: "rgb(7, 51, 58) solid 3px",
  outlineOffset: "2px",
  boxShadow: "rgb(255, 166, 92) 0px 0px 0px 5px",
};

interface Stop {
  readonly what: string;
  readonly top: number;
  readonly left: number;
  readonly hidden: boolean;
  readonly outline: string;
  readonly outlineOffset: string;
  readonly boxShadow: string;
}

for (const screen of SCREENS) {
  test(`[C-01, C-03, C-04, C-51, C-55] ${screen} by keyboard: every control is reached in visual order, with its focus ring`, async ({
    page,
    portal,
    javaScriptEnabled,
  }) => {
    await page.setViewportSize({ width: 400, height: 480 });
    await open(page, portal, `/demo/gallery/${screen}`, javaScriptEnabled);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    const stops = await walk(page);
    const controls = await page.evaluate(
      () =>
        [
          ...document.querySelectorAll<HTMLElement>("a[href], button, input:not([type=hidden]), summary"),
        ].filter(
          (element) =>
            // Not in an explanation that is still closed.
            element.checkVisibility() && !element.matches(":disabled, [aria-hidden=true]"),
        ).length,
    );
    expect(stops).toHaveLength(controls);
    expect(stops.filter(({ hidden }) => hidden).map(({ what }) => what)).toEqual([]);
    for (const { what, outline, outlineOffset, boxShadow } of stops)
      expect.soft({ outline, outlineOffset, boxShadow }, what).toEqual(RING);
    const back = stops.filter(({ top, left }, at) => {
      const before = stops[at - 1];
      return before && (top < before.top - 60 || (Math.abs(top - before.top) < 4 && left < before.left));
    });
    expect(back.map(({ what }) => what)).toEqual([]);
  });
}

test("[C-01] the skip link leads past the header into main", async ({ page, portal, javaScriptEnabled }) => {
  await open(page, portal, "/demo/gallery/policies", javaScriptEnabled);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Przejdź do treści" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Przejdź do treści" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("header"))).toBeNull();
});

/** Goes from control to control with Tab, until the browser leaves the page. */
async function walk(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate((): Stop | undefined => {
      const element = document.activeElement;
      if (!element || element === document.body || element.hasAttribute("data-walked")) return undefined;
      element.setAttribute("data-walked", "");
      const { top, left, width, height } = element.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 12));
      const { outlineColor, outlineStyle, outlineWidth, outlineOffset, boxShadow } =
        // A card's link covers the whole card, and so does its ring.
        getComputedStyle(element, element.matches(".stretched-link") ? "::after" : null);
      return {
        what: `${element.tagName} ${element.getAttribute("name") ?? element.textContent.trim()}`,
        top: top + scrollY,
        left,
        hidden: !(seen && (element.contains(seen) || seen.contains(element))),
        outline: `${outlineColor} ${outlineStyle} ${outlineWidth}`,
        outlineOffset,
        boxShadow,
      };
    });
    if (!stop) return stops;
    stops.push(stop);
  }
}
