import type { Page } from "@playwright/test";
import { ROLES } from "~/platform/config/palette";
import { faultsByAxe } from "./faults-by-axe";
import { expect, open, test } from "./gallery";

test("[F18] on paper there are no buttons, menus or dark panels", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await open(page, portal, "/demo/gallery/confirm-login", javaScriptEnabled);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const gone of [page.getByRole("button"), page.getByRole("link", { name: "Zostaw tę nazwę" })])
    await expect(gone.filter({ visible: true })).toHaveCount(0);
  await open(page, portal, "/demo/gallery/profile", javaScriptEnabled);
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
  portal,
  javaScriptEnabled,
}) => {
  await page.emulateMedia({ media: "print" });
  await open(page, portal, "/demo/gallery/recovery-code/shown", javaScriptEnabled);
  const sheet = /^Tarnea Ubezpieczenia, portal klienta · anna\.nowak · utworzono \d{1,2}\.\d\d\.\d{4}, /;
  await expect(page.locator("main p", { hasText: sheet })).toBeVisible();
  await expect(page.locator("main input").filter({ visible: true })).toHaveCount(0);
  await page.emulateMedia({ media: "screen" });
  await expect(page.locator("main p", { hasText: sheet })).toBeHidden();
});

test("[F18] on paper a policy takes one sheet", async ({ page, portal, javaScriptEnabled }) => {
  await open(page, portal, "/demo/gallery/policy", javaScriptEnabled);
  const margin = "10mm";
  const sheets = await page.pdf({
    format: "A4",
    margin: { top: margin, right: margin, bottom: margin, left: margin },
  });
  expect(sheets.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test("[F18] the colour scheme of the device is followed, without scripts too, and axe finds nothing in it", async ({
  browser,
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery", javaScriptEnabled);
  const light = await surface(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await surface(page);
  expect(dark).not.toBe(light);
  expect(await faultsByAxe(page)).toEqual([]);
  const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: "dark" });
  const plain = await context.newPage();
  await plain.goto(`${portal.origin}/demo/gallery`);
  expect(await surface(plain)).toBe(dark);
  await context.close();
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

function surface(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}
