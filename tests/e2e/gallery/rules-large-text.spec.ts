import { expect, open, SCREENS, statesOf, test } from "./gallery";

// The device's own setting: media queries in em follow it, which a style sheet can't do.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), "--blink-settings=defaultFontSize=32"] }),
});

for (const screen of SCREENS)
  test(`[F18] with text at 200 % ${screen} sticks out nowhere on a phone, in any state`, async ({
    page,
    portal,
    javaScriptEnabled,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const state of await statesOf(page, screen)) {
      await open(page, portal, state, javaScriptEnabled);
      const [size, width] = await page.evaluate(() => [
        getComputedStyle(document.documentElement).fontSize,
        document.documentElement.scrollWidth,
      ]);
      expect(size).toBe("32px");
      expect(width, state).toBe(360);
    }
  });
