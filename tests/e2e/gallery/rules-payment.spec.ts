import type { Page } from "@playwright/test";
import { expect, open, test } from "./gallery";

test("[F65] cards say what is to be paid, and only where something is due now a button leads to paying", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/policies/each-premium", javaScriptEnabled);
  const cards = page.locator("main li");
  await expect(cards.locator("h2")).toHaveText([
    "Narty",
    "Życie",
    "Firma",
    "Podróż",
    "Samochód – OC i AC",
    "Bez składki",
    "Rower",
    "Mieszkanie",
  ]);
  await expect(cards.filter({ hasText: "Zapłać składkę" }).locator("h2")).toHaveText([
    "Narty",
    "Życie",
    "Firma",
    "Samochód – OC i AC",
  ]);
  await expect(cards.filter({ hasText: "Bez składki" })).not.toContainText(/Składka|zł/);
  // An ended policy with something to pay isn't folded away.
  await expect(page.locator("main details")).toHaveCount(0);
});

for (const { state, line, link } of [
  {
    state: "overdue",
    line: /^Do zapłaty teraz: 263,20\szł, 2\spolisy/,
    link: "Zapłać najpierw: Škoda Octavia",
  },
  { state: "due", line: /^Do zapłaty teraz: 74,20\szł, 1\spolisa/, link: "" },
  { state: "later", line: /^Wszystko opłacone\. Następny termin: \d/, link: "" },
  { state: "paid", line: /^Wszystko opłacone\.$/, link: "" },
])
  test(`[F65] one line above the cards sums up: ${state}`, async ({ page, portal, javaScriptEnabled }) => {
    await open(page, portal, `/demo/gallery/policies/premium-${state}`, javaScriptEnabled);
    const shown = page.locator("h1 ~ *", { hasText: line });
    await expect(shown).toHaveCount(1);
    expect((await shown.boundingBox())?.y).toBeLessThan(
      (await page.locator("main li").first().boundingBox())?.y ?? 0,
    );
    if (link) await expect(shown.getByRole("link")).toContainText(link);
    else await expect(shown.getByRole("link")).toHaveCount(0);
  });

test("[F65] policies without premiums have no such line", async ({ page, portal, javaScriptEnabled }) => {
  await open(page, portal, "/demo/gallery/policies", javaScriptEnabled);
  await expect(page.locator("main")).not.toContainText(/opłacone|Do zapłaty/);
});

test("[F66] where the portal can't say how to pay, the card and the policy's page name the helpline", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  for (const state of ["policies/premium-due", "policy/premium-without-way"]) {
    await open(page, portal, `/demo/gallery/${state}`, javaScriptEnabled);
    const way = page.locator("main p", { hasText: "Zapłać tak jak dotychczas." });
    await expect(way.getByRole("link"), state).toHaveAttribute("href", "tel:+48800100200");
    await expect(page.locator("main").getByRole("link", { name: "Zapłać składkę" }), state).toHaveCount(0);
  }
});

test("[F66] the code of a transfer is black on white in both schemes, and where there can be none the text stays", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await open(page, portal, "/demo/gallery/payment", javaScriptEnabled);
    const code = page.getByRole("img", { name: "Kod QR z danymi przelewu" });
    await expect(code).toBeVisible();
    const colours = await code
      .locator("path")
      .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill));
    expect(colours, colorScheme).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
  }
  for (const state of ["without-code", "euro"]) {
    await open(page, portal, `/demo/gallery/payment/${state}`, javaScriptEnabled);
    await expect(page.getByRole("term").filter({ hasText: "Numer rachunku" })).toBeVisible();
    await expect(page.getByRole("img", { name: "Kod QR" })).toHaveCount(0);
  }
});

test("[F66] a phone, which can't scan its own screen, folds the code away, and the account has its own line", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, portal, "/demo/gallery/payment", javaScriptEnabled);
  const code = page.getByRole("img", { name: "Kod QR z danymi przelewu" });
  const summary = page.locator("summary", { hasText: "Masz bank na innym urządzeniu?" });
  await expect(code).toBeHidden();
  await expect(page.getByRole("link", { name: "Zapisz obraz kodu" })).toBeVisible();
  await summary.click();
  await expect(code).toBeVisible();
  const account = page.locator("dd", { hasText: "PL61" }).locator("span").first();
  expect((await account.boundingBox())?.height).toBeLessThanOrEqual(48);
  await page.setViewportSize({ width: 768, height: 900 });
  await open(page, portal, "/demo/gallery/payment", javaScriptEnabled);
  await expect(code).toBeVisible();
  await expect(summary).toBeHidden();
});

test("[F66] a premium that is paid, or can't be paid here, says so in words", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/payment/paid", javaScriptEnabled);
  await expect(page.getByText("Nie masz teraz nic do zapłaty.")).toBeVisible();
  await expect(page.getByText("Przelew", { exact: true })).toHaveCount(0);
  await open(page, portal, "/demo/gallery/payment/without-account", javaScriptEnabled);
  await expect(page.getByText("Zapłać tak jak dotychczas.")).toBeVisible();
  await expect(page.locator("main").getByRole("link", { name: /^800/ })).toHaveAttribute(
    "href",
    "tel:+48800100200",
  );
});

test("[F66] on paper the transfer is text, with its code beside it, on one sheet", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/payment", javaScriptEnabled);
  await page.emulateMedia({ media: "print" });
  const main = page.locator("main");
  for (const shown of ["PL61 1090 1014 0000 0712 1981 2874", "Tarnea Ubezpieczenia", "POL-100001"])
    await expect(main.getByText(shown, { exact: true }).first(), shown).toBeVisible();
  await expect(main.getByRole("button", { name: "Kopiuj" })).toHaveCount(0);
  expect(await sheets(page)).toBe(1);
});

for (const state of ["proof-of-cover", "proof-of-cover/ended"]) {
  test(`[F68] ${state} fits one screen of a phone and one sheet, and says what it is`, async ({
    page,
    portal,
    javaScriptEnabled,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await open(page, portal, `/demo/gallery/${state}`, javaScriptEnabled);
    const main = page.locator("main");
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
    expect(await sheets(page)).toBe(1);
  });
}

test("[F68] the page for the roadside has a way back, a tick with the last day, and each value below its term", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await open(page, portal, "/demo/gallery/proof-of-cover", javaScriptEnabled);
  const main = page.locator("main");
  await expect(main.getByRole("link", { name: "Polisa", exact: true })).toBeInViewport({ ratio: 1 });
  await expect(main.getByText(/^Ważna do \d/)).toBeInViewport({ ratio: 1 });
  const number = main.locator("dl > div", { hasText: "POL-100001" });
  const [term, value] = await Promise.all(["dt", "dd"].map((part) => number.locator(part).boundingBox()));
  expect(value?.y).toBeGreaterThanOrEqual((term?.y ?? NaN) + (term?.height ?? NaN));
});

test("[F68] the page for the roadside says when the cover has ended", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/proof-of-cover/ended", javaScriptEnabled);
  await expect(page.locator("main").getByText("Wygasła")).toBeVisible();
});

/** The number of printed A4 sheets. */
async function sheets(page: Page): Promise<number> {
  const pdf = await page.pdf({
    format: "A4",
    margin: { top: "1cm", bottom: "1cm", left: "1cm", right: "1cm" },
  });
  return [...pdf.toString("latin1").matchAll(/\/Type \/Page\b(?!s)/g)].length;
}
