import type { Page } from "@playwright/test";
import { expect, open, SCREENS, statesOf, test } from "./gallery";

/** WCAG 1.4.12: as wide as a person may set his text. */
const TEXT_SPACING =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }";

// One test walks all states of a screen.
test.describe.configure({ timeout: 120_000 });

for (const screen of SCREENS) {
  test(`[C-51, C-52] ${screen} fits 320 px (400 % zoom), with double text and wide spacing too: nothing to scroll sideways, nothing cut off`, async ({
    page,
    portal,
    javaScriptEnabled,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const state of await statesOf(page, screen)) {
      await open(page, portal, state, javaScriptEnabled);
      expect.soft(await sideways(page), state).toEqual([]);
      // A sheet made by a script is not the page's: the policy does not forbid it, as it does not forbid a person's own.
      await page.evaluate((css) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets = [sheet];
      }, TEXT_SPACING);
      expect.soft(await sideways(page), `${state}, wide spacing`).toEqual([]);
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("html { font-size: 200% !important }");
        document.adoptedStyleSheets = [sheet];
      });
      await page.setViewportSize({ width: 640, height: 640 });
      expect.soft(await sideways(page), `${state}, double text`).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
    }
  });
}

/** What reaches beyond the right edge, if the page can be scrolled there; what hides text that does not fit. */
function sideways(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()} ${element.textContent.trim().slice(0, 40)}`;
    // What is there for the ear alone takes one pixel.
    const elements = [...document.querySelectorAll("body *")].filter((element) => element.clientWidth !== 1);
    const wide =
      document.documentElement.scrollWidth > window.innerWidth
        ? elements.filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
        : [];
    const cut = elements.filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const hides = overflowX !== "visible" || overflowY !== "visible";
      return (
        hides &&
        element.matches("button, a, p, h1, h2, li") &&
        element.scrollHeight > element.clientHeight + 1
      );
    });
    return [
      ...wide.map((element) => `wide: ${name(element)}`),
      ...cut.map((element) => `cut: ${name(element)}`),
    ];
  });
}
