import { expect, open, test } from "./gallery";

test("[F61] a backend without pages for policies gets no links to them; its cards lead to Contact after damage", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/policies/without-ids", javaScriptEnabled);
  await expect(page.locator("main li h2").first()).toBeVisible();
  await expect(page.locator('main li a[href*="/cp/policy"], main li h2 a')).toHaveCount(0);
  for (const button of await page.locator("main li a", { hasText: "Zgłoś szkodę" }).all())
    await expect(button).toHaveAttribute("href", "/cp/contact#szkoda");
  await page.locator("main li h2").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Moje polisy");
});

test("a card's link has its focus ring around the whole card, and nothing else", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/policies", javaScriptEnabled);
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

test("a policy without documents has no section for them", async ({ page, portal, javaScriptEnabled }) => {
  await open(page, portal, "/demo/gallery/policy/no-documents", javaScriptEnabled);
  await expect(page.getByText("Numer polisy", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Dokumenty" })).toHaveCount(0);
});

test("with a document password, the page doesn't ask for one, and says which password opens a document", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/policy", javaScriptEnabled);
  const main = page.locator("main");
  await expect(main.getByText("hasłem do dokumentów z dnia pobrania")).toBeVisible();
  await expect(main.getByRole("link", { name: "Utwórz hasło do dokumentów" })).toHaveCount(0);
});

test("[F18] on paper a policy is its facts, its documents and the helpline", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/policy", javaScriptEnabled);
  await page.emulateMedia({ media: "print" });
  for (const shown of ["POL-100001", "Polisa ubezpieczenia mieszkania", "W razie szkody"])
    await expect(page.locator("main").getByText(shown).first(), shown).toBeVisible();
  await expect(page.locator("footer").getByText("Infolinia")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Zgłoś szkodę, całą dobę: 22/ })).toBeVisible();
  for (const gone of ["Drukuj", "Moje polisy", "Pobierz", "Zgłoś szkodę"])
    await expect(page.locator("main").getByText(gone).first(), gone).toBeHidden();
});

test("[F61] on a phone the button after damage is on a policy's first screen", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, portal, "/demo/gallery/policy/ending", javaScriptEnabled);
  await expect(page.locator("summary", { hasText: "Zgłoś szkodę" })).toBeInViewport({ ratio: 1 });
});

test("[F61] a policy that hasn't begun has no button for damage, on its page and on its card", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/policy/upcoming", javaScriptEnabled);
  await expect(page.getByText("Numer polisy")).toBeVisible();
  await expect(page.locator("main").getByText(/Zgłoś szkodę|W razie szkody/)).toHaveCount(0);
  await open(page, portal, "/demo/gallery/policies/each-state", javaScriptEnabled);
  await expect(page.locator("main li").filter({ hasText: "Zgłoś szkodę" })).not.toHaveCount(0);
  await expect(
    page.locator("main li").filter({ hasText: "Zacznie się" }).getByText("Zgłoś szkodę"),
  ).toHaveCount(0);
});

test("[F61] above ten policies one button for damage stands for all", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/policies/many", javaScriptEnabled);
  const button = page.locator("main").getByRole("link", { name: "Zgłoś szkodę" });
  await expect(button).toHaveAttribute("href", "/cp/contact#szkoda");
});

test("[F61] on a phone the advice after damage takes no room until its button is pressed", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, portal, "/demo/gallery/policy/premium-due", javaScriptEnabled);
  const main = page.locator("main");
  const top = async (text: string) => (await main.getByText(text).first().boundingBox())?.y ?? NaN;
  await expect(main.getByText("W razie szkody")).toBeHidden();
  expect(await top("Numer polisy")).toBeLessThan(await top("Zapłać składkę"));
  expect(await top("Zapłać składkę")).toBeLessThan(await top("Dokumenty"));
  await main.locator("summary", { hasText: "Zgłoś szkodę" }).click();
  await expect(main.getByText("W razie szkody")).toBeInViewport();
  await expect(main.getByRole("link", { name: /^Zgłoś szkodę, całą dobę: 22\s100\s20\s99$/ })).toBeVisible();
});

test("[F63] from 992 px policies stand in two columns, below it in one, and a single one takes the row", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  const rowsOfFirstTwo = () =>
    page
      .locator("main li")
      .evaluateAll(
        (cards) => new Set(cards.slice(0, 2).map((card) => card.getBoundingClientRect().top)).size,
      );
  await page.setViewportSize({ width: 992, height: 800 });
  await open(page, portal, "/demo/gallery/policies/each-state", javaScriptEnabled);
  expect(await rowsOfFirstTwo()).toBe(1);
  await page.setViewportSize({ width: 991, height: 800 });
  expect(await rowsOfFirstTwo()).toBe(2);
  await page.setViewportSize({ width: 992, height: 800 });
  await open(page, portal, "/demo/gallery/policies/one", javaScriptEnabled);
  const [card, row] = await Promise.all(
    ["main li", "main ul"].map((part) => page.locator(part).boundingBox()),
  );
  expect(card?.width).toBe(row?.width);
});

for (const state of ["announcement", "news"]) {
  test(`[F63] the ${state} comes before the policies`, async ({ page, portal, javaScriptEnabled }) => {
    await open(page, portal, `/demo/gallery/policies/${state}`, javaScriptEnabled);
    const news = page.locator(state === "news" ? "main section" : "section[aria-label]").first();
    const top = async (part: typeof news) => (await part.boundingBox())?.y;
    expect(await top(news)).toBeLessThan((await top(page.locator("main li h2").first())) ?? 0);
  });
}
