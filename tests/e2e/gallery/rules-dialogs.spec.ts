import type { Page } from "@playwright/test";
import { expect, test } from "./gallery";

test("[C-15, C-16] the sign-out question: focus on the safe button, Tab stays inside, Esc and 'back' return", async ({
  page,
  open,
}) => {
  await open("/demo/gallery/policies");
  const opener = page.getByRole("banner").getByRole("link", { name: "Wyloguj się" });
  const question = page.getByRole("dialog", { name: "Czy chcesz się wylogować?" });
  await opener.click();
  await expect(question).toHaveAccessibleDescription(/\S/);
  await expect(question.getByRole("link", { name: "Wróć" })).toBeFocused();
  await staysInside(page);
  await page.mouse.click(5, 5);
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await question.getByRole("link", { name: "Wróć" }).click();
  await expect(question).toBeHidden();
  await expect(opener).toBeFocused();
});

test("[C-15, C-16] an error dialog: focus on its heading, Tab stays inside, Esc does what its button does", async ({
  page,
  open,
}) => {
  await open("/demo/gallery/login/106");
  const dialog = page.locator("main").getByRole("dialog");
  await expect(dialog).toHaveAccessibleName(/\S/);
  await expect(dialog).toHaveAccessibleDescription(/\S/);
  await expect(dialog.getByRole("heading", { level: 2 })).toBeFocused();
  await staysInside(page);
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.keyboard.press("Escape");
  expect(new URL((await sent).url()).pathname).toBe("/home/logout");
});

/** Tabs once around, forwards and back: the focus stays in the dialog or the browser's own bars. */
async function staysInside(page: Page): Promise<void> {
  for (const key of ["Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab"]) {
    await page.keyboard.press(key);
    const outside = await page.evaluate(() => {
      const focused = document.activeElement;
      return focused !== document.body && !focused?.closest("dialog[open]") ? focused?.outerHTML : undefined;
    });
    expect(outside).toBeUndefined();
  }
}
