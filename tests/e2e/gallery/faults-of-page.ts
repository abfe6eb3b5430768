import type { Page } from "@playwright/test";

/** The parts that every page must have and this one lacks. */
export function faultsOfPage(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const count = (selector: string) => document.querySelectorAll(selector).length;
    const shown = (element: Element) => element.getClientRects().length > 0;
    const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
      .filter((heading) => shown(heading) && !heading.closest("dialog"))
      .map((heading) => Number(heading.tagName.slice(1)));
    const focusable = [...document.querySelectorAll<HTMLElement>("a[href], button, input, summary")];
    const footer = document.querySelector("footer")?.textContent ?? "";
    const withNumber = [...document.querySelectorAll("body :not(script)")].filter((element) =>
      [...element.childNodes].some(
        ({ nodeType, nodeValue }) =>
          nodeType === Node.TEXT_NODE && /22\s100\s20\s30|800\s100\s200/.test(nodeValue ?? ""),
      ),
    );
    const dials = ({ textContent, attributes }: Element) =>
      attributes.getNamedItem("href")?.value === `tel:+48${textContent.replace(/\D/g, "")}`;
    const faults: readonly (readonly [string, boolean])[] = [
      ["the language", document.documentElement.lang !== "pl"],
      ["one h1 that can take the focus", count("h1") !== 1 || count('h1[tabindex="-1"]') !== 1],
      ["one header, main and footer", ["header", "main", "footer"].some((name) => count(name) !== 1)],
      ["main that can take the focus", count('main#content[tabindex="-1"]') !== 1],
      ["the skip link first", focusable[0]?.getAttribute("href") !== "#content"],
      ["a name for each nav", count("nav") !== count("nav[aria-label]")],
      [
        "no positive tabindex",
        [...document.querySelectorAll<HTMLElement>("[tabindex]")].some(({ tabIndex }) => tabIndex > 0),
      ],
      [
        "no skipped heading level",
        headings.some((level, at) => at > 0 && level > (headings[at - 1] ?? 0) + 1),
      ],
      ["the helpline in the footer", !/Infolinia/.test(footer)],
      ["[F11] phone numbers that are links", !withNumber.some(dials) || !withNumber.every(dials)],
      [
        "no explanation that only a mouse can find",
        count("main [title], header [title], footer [title]") > 0,
      ],
    ];
    return faults.flatMap(([rule, broken]) => (broken ? [rule] : []));
  });
}
