import { expect, open, statesOf, test } from "../../../e2e/gallery/gallery";
import { SCREENS } from "../../../screens";

for (const screen of SCREENS)
  test(`[F18] with text at 200 % nothing on ${screen} sticks out on a phone, in any state`, async ({
    largePage: page,
    portal,
    javaScriptEnabled,
  }) => {
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
