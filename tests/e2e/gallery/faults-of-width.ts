import type { Page } from "@playwright/test";

/** WCAG 1.4.12: the widest spacing a person may set. */
const TEXT_SPACING =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }";
const DOUBLE_TEXT = "html { font-size: 200% !important }";

/** Elements that don't fit at 320 px (400 % zoom): as served, with wide spacing, and at 640 px with double text. */
export async function faultsOfWidth(page: Page): Promise<readonly string[]> {
  await page.setViewportSize({ width: 320, height: 640 });
  const faults = await sideways(page);
  await dress(page, TEXT_SPACING);
  const faultsWhenSpaced = await sideways(page);
  await dress(page, DOUBLE_TEXT);
  await page.setViewportSize({ width: 640, height: 640 });
  const faultsWhenDoubled = await sideways(page);
  await dress(page, "");
  return [
    ...faults,
    ...faultsWhenSpaced.map((fault) => `wide spacing: ${fault}`),
    ...faultsWhenDoubled.map((fault) => `double text: ${fault}`),
  ];
}

/** Adds a style sheet by script, which the policy allows, as it allows a visitor's own styles. */
function dress(page: Page, css: string): Promise<void> {
  return page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, css);
}

/** Elements beyond the right edge, if the page scrolls there, and elements that cut off text. */
function sideways(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()} ${element.textContent.trim().slice(0, 40)}`;
    // Elements for screen readers only are one pixel wide.
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
