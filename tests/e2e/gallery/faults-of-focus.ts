import type { Page } from "@playwright/test";

/** The two focus rings: one of them has contrast on any surface. */
const RING = "rgb(7, 51, 58) solid 3px, 2px away, rgb(255, 166, 92) 0px 0px 0px 5px";

interface Stop {
  readonly what: string;
  readonly top: number;
  readonly left: number;
  readonly hidden: boolean;
  readonly ring: string;
}

/** Controls that Tab doesn't reach, reaches hidden or against the visual order, or shows without both rings. */
export async function faultsOfFocus(page: Page): Promise<readonly string[]> {
  await page.setViewportSize({ width: 400, height: 480 });
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
  const faults = stops.flatMap(({ what, top, left, hidden, ring }, at) => {
    const before = stops[at - 1];
    const goesBack =
      before && (top < before.top - 60 || (Math.abs(top - before.top) < 4 && left < before.left));
    return [
      ...(hidden ? [`${what}: hidden`] : []),
      ...(goesBack ? [`${what}: before ${before.what}`] : []),
      ...(ring === RING ? [] : [`${what}: ${ring}`]),
    ];
  });
  return stops.length === controls ? faults : [`${controls} controls, ${stops.length} reached`, ...faults];
}

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
        ring: `${outlineColor} ${outlineStyle} ${outlineWidth}, ${outlineOffset} away, ${boxShadow}`,
      };
    });
    if (!stop) return stops;
    stops.push(stop);
  }
}
