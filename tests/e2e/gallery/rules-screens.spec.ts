import type { Page } from "@playwright/test";
import { SCREENS } from "../../screens";
import { faultsByAxe } from "./faults-by-axe";
import { faultsOfFocus } from "./faults-of-focus";
import { brokenRanges } from "./faults-of-lines";
import { motion, smallTargets } from "./faults-of-look";
import { faultsOfWidth } from "./faults-of-width";
import { expect, listenToConsole, lookedAt, test } from "./gallery";

/** The forms in two columns, and the customer area. */
const WITHOUT_PICTURE = [
  "accessibility",
  "set-password",
  "reset-password-submit",
  "change-login",
  "change-password",
  "create-document-password",
  "change-document-password",
  "policies",
  "policy",
  "payment",
  "proof-of-cover",
  "profile",
  "contact",
];

// One test asks all rules of a screen, since opening a page takes longer than checking it.
for (const screen of SCREENS) {
  test(`[C-03, C-04, C-50, C-51, C-52, C-53, C-55, F18, F22] ${screen} keeps the rules for look, width and keyboard`, async ({
    page,
    open,
  }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const said = listenToConsole(page);
    const states = await lookedAt(page, screen);
    for (const state of states) {
      await page.setViewportSize({ width: 360, height: 800 });
      await open(state);
      expect.soft(said.splice(0), state).toEqual([]);
      const isFirst = state === states[0];
      if (isFirst) expect.soft(await hasNoFocus(page), `${state}: no focus in a field`).toBe(true);
      expect.soft(await smallTargets(page), state).toEqual([]);
      expect.soft(await motion(page), state).toEqual([]);
      expect.soft(await faultsByAxe(page), `${state} at 360 px`).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
      if (isFirst) await expectPicture(page, screen);
      await page.emulateMedia({ colorScheme: "dark" });
      expect.soft(await faultsByAxe(page), `${state} at 1280 px, dark`).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
      expect.soft(await brokenRanges(page), state).toEqual([]);
      expect.soft(await faultsOfWidth(page), state).toEqual([]);
      // The last one: a field that Tab leaves empty is marked.
      if (isFirst) expect.soft(await faultsOfFocus(page), `${state} by keyboard`).toEqual([]);
    }
  });
}

function hasNoFocus(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement === document.body);
}

/** A screen with one column has a picture; none weighs more than 2.5 KB, and none is read out. */
async function expectPicture(page: Page, screen: string): Promise<void> {
  // A QR code isn't a picture: it has a name of its own.
  const pictures = await page.locator("svg:not([role=img])").evaluateAll((found) =>
    found.map((svg) => ({
      bytes: svg.outerHTML.length,
      hidden: svg.getAttribute("aria-hidden"),
      isLarge: svg.getBoundingClientRect().width > 150,
    })),
  );
  expect
    .soft(
      pictures.filter(({ bytes, hidden }) => bytes > 2560 || hidden !== "true"),
      screen,
    )
    .toEqual([]);
  const isPictured = pictures.some(({ isLarge }) => isLarge);
  expect.soft(isPictured, `${screen} has a picture`).toBe(!WITHOUT_PICTURE.includes(screen));
}
