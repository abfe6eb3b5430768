import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wholeChromium } from "../browsers/chromium";
import { expect, test } from "./fixtures";

test("a browser that blocks cookies is told so, and not sent in circles", async ({
  playwright,
  portal,
  launchOptions,
  javaScriptEnabled,
}) => {
  const profile = await mkdtemp(join(tmpdir(), "no-cookies-"));
  await mkdir(join(profile, "Default"));
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(join(profile, "Default", "Preferences"), JSON.stringify(preferences));
  const context = await playwright.chromium.launchPersistentContext(profile, {
    ...launchOptions,
    // The headless shell can't block cookies.
    executablePath: wholeChromium ?? playwright.chromium.executablePath(),
    baseURL: portal.origin,
    javaScriptEnabled,
    locale: "pl-PL",
  });
  const page = await context.newPage();
  await page.goto("/home");
  await expect(page).toHaveURL(/\/home\/cookies/);
  await expect(page.locator("main").getByRole("alert")).toHaveCount(0);
  await page.getByRole("button", { name: /Akceptuję/ }).click();
  await expect(page.locator("main").getByRole("alert")).toContainText(
    "Przeglądarka nie zapisuje plików cookies.",
  );
  await expect(page).toHaveURL(/\/home\/cookies/);
  expect(await context.cookies()).toEqual([]);
  await context.close();
  await rm(profile, { recursive: true, force: true });
});
