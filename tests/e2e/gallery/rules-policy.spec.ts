import { expect, open, test } from "./gallery";

test("a backend without pages for policies gets no links to them, and no promise of any", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/policies/without-ids", javaScriptEnabled);
  await expect(page.locator("main li h2").first()).toBeVisible();
  await expect(page.locator("main li a")).toHaveCount(0);
  await page.locator("main li").first().click();
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
  const rings = await card.getByRole("link").evaluate((link) => {
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
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Zgłoś szkodę"]);
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
  for (const shown of ["POL-100001", "Polisa ubezpieczenia mieszkania", "Zgłoś szkodę"])
    await expect(page.locator("main").getByText(shown).first(), shown).toBeVisible();
  await expect(page.locator("footer").getByText("Infolinia")).toBeVisible();
  for (const gone of ["Drukuj", "Moje polisy", "Pobierz"])
    await expect(page.locator("main").getByText(gone).first(), gone).toBeHidden();
});
