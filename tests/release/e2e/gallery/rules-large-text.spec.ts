import { expect, statesOf, test } from "../../../e2e/gallery/gallery";
import { Person } from "../../../e2e/person";
import { SCREENS } from "../../../screens";

for (const screen of SCREENS)
  test(`[F18] with text at 200 % nothing on ${screen} sticks out on a phone, in any state`, async ({
    largePage: page,
    portal,
  }) => {
    for (const state of await statesOf(page, screen)) {
      await new Person(page, portal, true).open(state);
      const [size, width] = await page.evaluate(() => [
        getComputedStyle(document.documentElement).fontSize,
        document.documentElement.scrollWidth,
      ]);
      expect(size).toBe("32px");
      expect(width, state).toBe(360);
    }
  });
