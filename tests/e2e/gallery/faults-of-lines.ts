import type { Page } from "@playwright/test";

/** Hours of the helpline, and the ranges of allowed characters, with their word joiners. */
const RANGE = /[\da-z:]+\u2060–\u2060[\da-z:]+/gi;

/** Ranges of hours or letters that break at their dash, at 320 or 360 px. */
export async function brokenRanges(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const ranges = await linesOf(page, RANGE.source);
    // Each page has the helpline's hours.
    if (ranges.length === 0) faults.push("no range at all");
    faults.push(...ranges.flatMap(({ text, lines }) => (lines === 1 ? [] : [`${text} at ${width} px`])));
  }
  return faults;
}

/** The parts of the page's text that match, each with the number of lines it is on. */
function linesOf(page: Page, pattern: string) {
  return page.evaluate((source) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: { text: string; lines: number }[] = [];
    while (texts.nextNode()) {
      const { currentNode } = texts;
      if (currentNode.parentElement?.closest("script, style")) continue;
      for (const match of (currentNode.textContent ?? "").matchAll(new RegExp(source, "gi"))) {
        const range = document.createRange();
        range.setStart(currentNode, match.index);
        range.setEnd(currentNode, match.index + match[0].length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (tops.length > 0) found.push({ text: match[0], lines: new Set(tops).size });
      }
    }
    return found;
  }, pattern);
}
