import type { Page } from "@playwright/test";
import { faultsByAxe } from "./faults-by-axe";
import { expect, test } from "./gallery";

test("[C-50, F18, F28] the components keep the rules for size, motion and colours, and axe finds nothing", async ({
  browser,
  page,
  open,
}) => {
  await open("/demo/gallery");
  const heights = await page
    .getByRole("button")
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
  expect(Math.min(...heights), "the small button").toBeGreaterThanOrEqual(24);
  expect(await slowChanges(page)).toEqual([]);
  const light = await surface(page);
  expect(await faultsByAxe(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await surface(page);
  expect(dark).not.toBe(light);
  expect(await faultsByAxe(page)).toEqual([]);
  // The device's scheme is followed without scripts, too.
  const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: "dark" });
  const plain = await context.newPage();
  await plain.goto("/demo/gallery");
  expect(await surface(plain)).toBe(dark);
  await context.close();
});

test("[C-54] in forced colours, borders, switch and pictures stay visible, and the focus has an outline", async ({
  page,
  open,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open("/demo/gallery");
  const seen = await page.evaluate(() => {
    const backdrop = getComputedStyle(document.body).backgroundColor;
    const borders = (selector: string, pseudo?: string) =>
      [...document.querySelectorAll(selector)].filter((element) => {
        const { borderTopColor, borderTopWidth, borderTopStyle } = getComputedStyle(element, pseudo);
        return borderTopWidth === "0px" || borderTopStyle === "none" || borderTopColor === backdrop;
      }).length;
    const probe = document.createElement("i");
    probe.style.color = "GrayText";
    document.body.append(probe);
    const gray = getComputedStyle(probe).color;
    const off = [...document.querySelectorAll("[aria-disabled=true]")];
    return {
      buttonsWithoutBorder: borders("main button, dialog"),
      switchesWithoutBorder: borders(".switch"),
      thumbsWithoutBorder: borders(".switch", "::before"),
      off: off.length,
      offInGray: off.filter((button) => getComputedStyle(button).color === gray).length,
      picturesWithoutColour: [...document.querySelectorAll("main li > svg, main button svg")].filter(
        (icon) => getComputedStyle(icon).color === backdrop,
      ).length,
    };
  });
  expect(seen.off).toBeGreaterThan(0);
  expect(seen).toEqual({
    buttonsWithoutBorder: 0,
    switchesWithoutBorder: 0,
    thumbsWithoutBorder: 0,
    off: seen.off,
    offInGray: seen.off,
    picturesWithoutColour: 0,
  });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
    return `${outlineStyle} ${outlineWidth}`;
  });
  expect(outline).toBe("solid 3px");
});

test("[C-01, C-51] the skip link leads past a header that a low screen scrolls away, into main", async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await open("/demo/gallery/policies");
  const fixed = await page.evaluate(
    () =>
      [...document.querySelectorAll("header, header *, footer, main *")].filter((element) =>
        ["fixed", "sticky"].includes(getComputedStyle(element).position),
      ).length,
  );
  expect(fixed).toBe(0);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Przejdź do treści" })).toBeFocused();
  await expect(page.getByRole("link", { name: "Przejdź do treści" })).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("header"))).toBeNull();
});

test("[C-21] the locked cookie switch says beside it that it is always on", async ({ page, open }) => {
  await open("/demo/gallery/cookies");
  const locked = page.getByRole("switch");
  await expect(locked).toBeChecked();
  await expect(locked).toBeDisabled();
  await expect(locked).toHaveAccessibleDescription(/\S/);
  const words = page.locator(".switch-state");
  expect(await words.evaluate((state) => getComputedStyle(state, "::after").content)).toContain("Zawsze");
});

/** Changes of look that take longer than 150 ms. */
function slowChanges(page: Page): Promise<readonly string[]> {
  return page
    .locator("body *")
    .evaluateAll((elements) =>
      elements.flatMap((element) =>
        [undefined, "::before", "::after"]
          .flatMap((part) => getComputedStyle(element, part).transitionDuration.split(","))
          .filter((duration) => parseFloat(duration) > 0.15),
      ),
    );
}

function surface(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}
