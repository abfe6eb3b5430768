import type { CDPSession, Page } from "@playwright/test";
import { expect, test } from "../account";

/** How long a mouse button or a finger stays down, in ms. */
const DOWN_MS = 120;

const TARGETS = "main a[href], main button:not(.sr-only), header a[href], footer a[href]";

/** Marks the elements that are pressed, and keeps the page. */
function notePresses(): void {
  addEventListener(
    "click",
    (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      const pressed = event.target instanceof Element ? event.target.closest("a, button") : null;
      pressed?.setAttribute("data-pressed", "");
    },
    true,
  );
}

type Press = (x: number, y: number) => Promise<void>;

const mouse =
  (page: Page): Press =>
  (x, y) =>
    page.mouse.click(x, y, { delay: DOWN_MS });

/** A finger, which is in Chromium's protocol only. */
async function finger(page: Page): Promise<Press> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  return async (x, y) => {
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), DOWN_MS);
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    // The click that follows has been handled.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  };
}

/** The first target of each kind: a kind has its place on the page, and its look. */
function markKinds(selector: string): void {
  const seen = new Set<string>();
  for (const target of document.querySelectorAll(selector)) {
    const place = target.closest("header, main, footer")?.tagName ?? "";
    const kind = [place, target.tagName, target.className, target.getAttribute("aria-disabled")].join();
    if (seen.has(kind) || !target.checkVisibility()) continue;
    seen.add(kind);
    target.setAttribute("data-kind", "");
  }
}

/** Presses a target of each kind while a field is empty and has the focus; returns those that the press missed. */
async function missedBeside(page: Page, field: string, press: Press): Promise<string[]> {
  await page.evaluate(notePresses);
  await page.evaluate(markKinds, TARGETS);
  const missed: string[] = [];
  for (const target of await page.locator("[data-kind]").all()) {
    await target.scrollIntoViewIfNeeded();
    await page.locator(`main [name="${field}"]`).evaluate((input) => {
      input.focus({ preventScroll: true });
    });
    const box = await target.boundingBox();
    if (!box) throw new Error("nothing to press");
    await press(box.x + box.width / 2, box.y + box.height / 2);
    if ((await target.getAttribute("data-pressed")) === null) missed.push(await target.innerText());
  }
  return missed;
}

for (const [how, start] of [
  ["a mouse", mouse],
  ["a finger", finger],
] as const)
  test(`[F34] the first press of ${how} counts on each kind of control beside an empty field`, async ({
    person,
    page,
    standAt,
  }) => {
    const press = await start(page);
    await standAt("set-password");
    expect(await missedBeside(page, "newPassword", press)).toEqual([]);
    await person.open("/home");
    expect(await missedBeside(page, "username", press)).toEqual([]);
  });
