import type { Page } from "@playwright/test";
import { ROLES } from "~/platform/config/palette";
import { expect, test } from "./gallery";

test("[F18] on paper there are no buttons, menus or dark panels", async ({ page, open }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await open("/demo/gallery/confirm-login");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const gone of [page.getByRole("button"), page.getByRole("link", { name: "Zostaw tę nazwę" })])
    await expect(gone.filter({ visible: true })).toHaveCount(0);
  await open("/demo/gallery/profile");
  await expect(page.getByText("anna.nowak")).toBeVisible();
  for (const gone of ["nav", "button", "header a[href^='#']", "footer ul"])
    await expect(page.locator(gone).filter({ visible: true }), gone).toHaveCount(0);
  for (const part of ["body", "footer", "main section"])
    expect(
      await page
        .locator(part)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor),
      part,
    ).toBe("rgb(255, 255, 255)");
  const onPaper = (colorScheme: "light" | "dark") => coloursOnPaper(page, colorScheme);
  expect(await onPaper("dark")).toEqual(await onPaper("light"));
});

test("[F18] on paper a recovery code has portal, username and time: an old sheet is told from a new one", async ({
  page,
  open,
}) => {
  await page.emulateMedia({ media: "print" });
  await open("/demo/gallery/recovery-code/shown");
  const sheet = /^Tarnea Ubezpieczenia, portal klienta · anna\.nowak · utworzono \d{1,2}\.\d\d\.\d{4}, /;
  await expect(page.locator("main p", { hasText: sheet })).toBeVisible();
  await expect(page.locator("main input").filter({ visible: true })).toHaveCount(0);
  await page.emulateMedia({ media: "screen" });
  await expect(page.locator("main p", { hasText: sheet })).toBeHidden();
});

test("[F18] on paper a policy is its facts, its documents and the helpline, on one sheet", async ({
  page,
  open,
}) => {
  await open("/demo/gallery/policy");
  const margin = "10mm";
  const sheets = await page.pdf({
    format: "A4",
    margin: { top: margin, right: margin, bottom: margin, left: margin },
  });
  expect(sheets.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: "print" });
  for (const shown of ["POL-100001", "Polisa ubezpieczenia mieszkania", "W razie szkody"])
    await expect(page.locator("main").getByText(shown).first(), shown).toBeVisible();
  await expect(page.locator("footer").getByText("Infolinia")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Zgłoś szkodę, całą dobę: 22/ })).toBeVisible();
  for (const gone of ["Drukuj", "Moje polisy", "Pobierz", "Zgłoś szkodę"])
    await expect(page.locator("main").getByText(gone).first(), gone).toBeHidden();
});

/** The colours that paper is printed with on a device with this scheme, by role. */
async function coloursOnPaper(page: Page, colorScheme: "light" | "dark"): Promise<readonly string[]> {
  await page.emulateMedia({ media: "print", colorScheme });
  return page.evaluate(
    (roles) =>
      roles.map((role) => `${role}: ${getComputedStyle(document.body).getPropertyValue(`--${role}`)}`),
    ROLES,
  );
}
