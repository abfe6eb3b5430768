import { expect, test } from "./gallery";

test("a card's link has its focus ring around the whole card, and nothing else", async ({ page, open }) => {
  await open("/demo/gallery/policies");
  const card = page.locator("main li").first();
  await page.locator("header nav a").last().focus();
  await page.keyboard.press("Tab");
  const rings = await card.locator("h2 a").evaluate((link) => {
    const around = getComputedStyle(link, "::after");
    const { clientWidth, clientHeight } = link.closest("li") ?? link;
    return {
      own: getComputedStyle(link).outlineStyle,
      around: `${around.outlineStyle} ${around.outlineWidth}`,
      size: [around.width, around.height],
      card: [`${clientWidth}px`, `${clientHeight}px`],
    };
  });
  expect(rings).toMatchObject({ own: "none", around: "solid 3px" });
  expect(rings.size).toEqual(rings.card);
});

test("[F61] on a phone the button after damage comes first, and its advice once it is pressed", async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const main = page.locator("main");
  const button = main.locator("summary", { hasText: "Zgłoś szkodę" });
  await open("/demo/gallery/policy/ending");
  await expect(button).toBeInViewport({ ratio: 1 });
  await open("/demo/gallery/policy/premium-due");
  const top = async (text: string) => (await main.getByText(text).first().boundingBox())?.y ?? NaN;
  await expect(main.getByText("W razie szkody")).toBeHidden();
  expect(await top("Numer polisy")).toBeLessThan(await top("Zapłać składkę"));
  expect(await top("Zapłać składkę")).toBeLessThan(await top("Dokumenty"));
  await button.click();
  await expect(main.getByText("W razie szkody")).toBeInViewport();
  await expect(main.getByRole("link", { name: /^Zgłoś szkodę, całą dobę: 22\s100\s20\s99$/ })).toBeVisible();
});

test("[F63] from 992 px policies stand in two columns, below it in one, and a single one takes the row", async ({
  page,
  open,
}) => {
  const rowsOfFirstTwo = () =>
    page
      .locator("main li")
      .evaluateAll(
        (cards) => new Set(cards.slice(0, 2).map((card) => card.getBoundingClientRect().top)).size,
      );
  await page.setViewportSize({ width: 992, height: 800 });
  await open("/demo/gallery/policies/each-state");
  expect(await rowsOfFirstTwo()).toBe(1);
  await page.setViewportSize({ width: 991, height: 800 });
  expect(await rowsOfFirstTwo()).toBe(2);
  await page.setViewportSize({ width: 992, height: 800 });
  await open("/demo/gallery/policies/one");
  const [card, row] = await Promise.all(
    ["main li", "main ul"].map((part) => page.locator(part).boundingBox()),
  );
  expect(card?.width).toBe(row?.width);
});
