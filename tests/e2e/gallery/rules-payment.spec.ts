import type { Page } from "@playwright/test";
import { expect, test } from "./gallery";

test("[F66] the code of a transfer is black on white in both schemes", async ({ page, open }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await open("/demo/gallery/payment");
    const code = page.getByRole("img", { name: "Kod QR z danymi przelewu" });
    await expect(code).toBeVisible();
    const colours = await code
      .locator("path")
      .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill));
    expect(colours, colorScheme).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
  }
});

test("[F66] a phone, which can't scan its own screen, folds the code away, and the account has its own line", async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open("/demo/gallery/payment");
  const code = page.getByRole("img", { name: "Kod QR z danymi przelewu" });
  const summary = page.locator("summary", { hasText: "Masz bank na innym urządzeniu?" });
  await expect(code).toBeHidden();
  await expect(page.getByRole("link", { name: "Zapisz obraz kodu" })).toBeVisible();
  await summary.click();
  await expect(code).toBeVisible();
  const account = page.locator("dd", { hasText: "PL61" }).locator("span").first();
  expect((await account.boundingBox())?.height).toBeLessThanOrEqual(48);
  await page.setViewportSize({ width: 768, height: 900 });
  await open("/demo/gallery/payment");
  await expect(code).toBeVisible();
  await expect(summary).toBeHidden();
});

test("[F66] on paper the transfer is text, with its code beside it, on one sheet", async ({ page, open }) => {
  await open("/demo/gallery/payment");
  await page.emulateMedia({ media: "print" });
  const main = page.locator("main");
  for (const shown of ["PL61 1090 1014 0000 0712 1981 2874", "Tarnea Ubezpieczenia", "POL-100001"])
    await expect(main.getByText(shown, { exact: true }).first(), shown).toBeVisible();
  await expect(main.getByRole("button", { name: "Kopiuj" })).toHaveCount(0);
  expect(await sheets(page)).toBe(1);
});

test("[F68] the page for the roadside fits one screen of a phone and one sheet, with a way back", async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const main = page.locator("main");
  for (const state of ["proof-of-cover/ended", "proof-of-cover"]) {
    await open(`/demo/gallery/${state}`);
    for (const shown of [
      "Škoda Octavia – OC i AC",
      "Anna Nowak",
      "POL-100001",
      "22\u00A0100\u00A020\u00A099",
    ])
      await expect(main.getByText(shown, { exact: true }).first(), shown).toBeInViewport({ ratio: 1 });
    await expect(main.getByText("To informacja o ubezpieczeniu. Nie zastępuje polisy.")).toBeInViewport({
      ratio: 1,
    });
    await expect(main.getByRole("link", { name: "Polisa", exact: true })).toBeInViewport({ ratio: 1 });
    expect(await sheets(page)).toBe(1);
  }
  await expect(main.getByText(/^Ważna do \d/)).toBeInViewport({ ratio: 1 });
  // Each value is below its term.
  const number = main.locator("dl > div", { hasText: "POL-100001" });
  const [term, value] = await Promise.all(["dt", "dd"].map((part) => number.locator(part).boundingBox()));
  expect(value?.y).toBeGreaterThanOrEqual((term?.y ?? NaN) + (term?.height ?? NaN));
});

/** The number of printed A4 sheets. */
async function sheets(page: Page): Promise<number> {
  const pdf = await page.pdf({
    format: "A4",
    margin: { top: "1cm", bottom: "1cm", left: "1cm", right: "1cm" },
  });
  return [...pdf.toString("latin1").matchAll(/\/Type \/Page\b(?!s)/g)].length;
}
