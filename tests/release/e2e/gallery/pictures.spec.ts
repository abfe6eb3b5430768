import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "@playwright/test";
import { expect, test } from "../../../e2e/gallery/gallery";
import { SCREENS } from "../../../screens";

/** Every screen as it opens, and the states that look different. */
const STATES = [
  ...SCREENS,
  "login/announcement",
  "login/101",
  "login/106",
  "mfa/007",
  "mfa/016",
  "mfa/no-code-yet",
  "mfa/app",
  "add-app/connect",
  "recovery-code/shown",
  "change-password/no-code-yet",
  "change-password/by-app",
  "create-document-password/no-code-yet-for-document",
  "set-password/rules-broken",
  "policies/none",
  "policies/each-state",
  "policies/long-names",
  "policy/no-document-password",
  "profile/username-changed",
  "profile/two-apps",
];
const WIDTHS = [360, 768, 1280];

/** The longest words of a closed helpline. */
const CLOSED = "Teraz nieczynna – zadzwoń w poniedziałek od 9:00";

/** The fonts and browser the pictures were taken with; others have other widths, and every line would differ. */
const LETTERS_FILE = join(import.meta.dirname, "pictures", "letters.json");

for (const state of STATES) {
  test(`${state} looks like its last approved picture`, async ({ page, open }, info) => {
    await open(`/demo/gallery/${state}`);
    const letters = await lettersOf(page);
    if (info.config.updateSnapshots === "all") writeFileSync(LETTERS_FILE, `${JSON.stringify(letters)}\n`);
    const recorded: unknown = existsSync(LETTERS_FILE) ? JSON.parse(readFileSync(LETTERS_FILE, "utf8")) : {};
    if (!isDeepStrictEqual(recorded, letters)) {
      console.warn("PICTURES ARE NOT COMPARED: they were taken with other fonts or another Chromium.");
      return;
    }
    await closeHelpline(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expect.soft(page).toHaveScreenshot([`${state.replaceAll("/", "-")}-${width}.png`], {
        fullPage: true,
        mask: changing(page),
        maxDiffPixelRatio: 0.01,
      });
    }
  });
}

/** The parts that change every time: address, year, hour, reference number, the days of policies. */
function changing(page: Page) {
  return [
    page.getByText("Sprawdź adres strony"),
    page.locator("footer p"),
    page.getByText(/^Teraz (nie)?czynna/),
    page.getByText(/0123456789ab/),
    page.locator("main li dd, main dl dd, main li p.text-muted"),
  ];
}

/** The words about the helpline's hours take one line or two, depending on the time: the pictures have the longest. */
async function closeHelpline(page: Page): Promise<void> {
  await page.getByText(/^Teraz (nie)?czynna/).evaluateAll((elements, words) => {
    for (const element of elements) element.textContent = words;
  }, CLOSED);
}

/** The browser's major version and the widths of its letters. */
function lettersOf(page: Page): Promise<object> {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d");
    const widths = ["16px", "600 16px", "700 32px", "14px"].map((size) => {
      if (!canvas) return 0;
      canvas.font = `${size} ${getComputedStyle(document.body).fontFamily}`;
      return Math.round(canvas.measureText("Zażółć gęślą jaźń 0123456789 „Tarnea”").width * 100) / 100;
    });
    return { chromium: /Chrom(?:e|ium)\/(\d+)/.exec(navigator.userAgent)?.[1] ?? "", widths };
  });
}
