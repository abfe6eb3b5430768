import type { Page } from "@playwright/test";
import { expect, test } from "./gallery";

test("in forced colours only the current page has a line in the menu", async ({ page, open }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open("/demo/gallery/profile");
  const visible = await page.locator("header nav a").evaluateAll((entries) => {
    const backdrop = getComputedStyle(document.body).backgroundColor;
    return entries
      .filter((entry) => getComputedStyle(entry).borderBottomColor !== backdrop)
      .map((entry) => entry.textContent);
  });
  expect(visible).toEqual(["Moje dane"]);
});

test("the line under an entry of the menu is as long as its words", async ({ page, open }) => {
  await open("/demo/gallery/policies");
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const entries = await page.locator("header nav a").evaluateAll((links) =>
      links.map((link) => {
        const words = document.createRange();
        words.selectNodeContents(link);
        return [link.getBoundingClientRect().width, words.getBoundingClientRect().width].map(Math.round);
      }),
    );
    for (const [line, words] of entries) expect(line, `${width} px`).toBe(words);
  }
});

test("[F24] each of several errors has its mark at its first line, and a single error is no list", async ({
  page,
  open,
}) => {
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await open("/demo/gallery/register/empty");
    const several = await marksOf(page);
    expect(several.length).toBe(2);
    expect(Math.max(...several.map(({ lines }) => lines)), `${width} px`).toBeGreaterThan(1);
    expect(
      several.map(({ marked }) => marked),
      `${width} px`,
    ).toEqual(several.map(({ lines }) => [true, ...Array<boolean>(lines - 1).fill(false)]));
    await open("/demo/gallery/change-login/012");
    expect(await marksOf(page), `${width} px`).toEqual([]);
  }
});

/** For each error in the summary: how many lines its link is on, and before which of them its mark is drawn. */
async function marksOf(page: Page) {
  const items = page.locator("main [role=alert] li");
  const faults = await items.evaluateAll((found) =>
    found.map((item) => {
      const words = document.createRange();
      words.selectNodeContents(item.querySelector("a") ?? item);
      const x = Math.round(item.getBoundingClientRect().left + scrollX) - 18;
      return [...words.getClientRects()].map(({ top, height }) => ({
        // The space of the marks, between the picture of the summary and the words.
        x,
        y: Math.round(top + scrollY),
        width: 16,
        height: Math.floor(height),
      }));
    }),
  );
  const pictures = async () => {
    const taken: Buffer[] = [];
    for (const clip of faults.flat()) taken.push(await page.screenshot({ clip, fullPage: true }));
    return taken;
  };
  const before = await pictures();
  await items.evaluateAll((found) => {
    for (const item of found) item.style.listStyle = "none";
  });
  const after = await pictures();
  const drawn = before.map((picture, line) => after[line]?.equals(picture) === false);
  return faults.map((lines) => ({ lines: lines.length, marked: drawn.splice(0, lines.length) }));
}
