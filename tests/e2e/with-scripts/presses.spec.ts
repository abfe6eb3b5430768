import type { CDPSession, Page } from "@playwright/test";
import { expect, test } from "../account";

/** How long a mouse button or a finger stays down, in ms. */
const DOWN_MS = 120;

const TARGETS =
  "main a[href]:visible, main button:not(.sr-only):visible, header a[href]:visible, footer a[href]:visible";

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

/** Presses everything beside fields that are empty and have the focus; returns the targets that the press missed. */
async function missedBeside(page: Page, fields: readonly string[], press: Press): Promise<string[]> {
  await page.evaluate(notePresses);
  const missed: string[] = [];
  for (const field of fields) missed.push(...(await missedBesideOne(page, field, press)));
  return missed;
}

async function missedBesideOne(page: Page, field: string, press: Press): Promise<string[]> {
  const targets = page.locator(TARGETS);
  const missed: string[] = [];
  for (let nth = 0; nth < (await targets.count()); nth += 1) {
    const target = targets.nth(nth);
    await target.scrollIntoViewIfNeeded();
    await page.locator(`main [name="${field}"]`).evaluate((input) => {
      input.focus({ preventScroll: true });
    });
    const box = await target.boundingBox();
    if (!box) throw new Error("nothing to press");
    await press(box.x + box.width / 2, box.y + box.height / 2);
    const isPressed = await target.evaluate((element) => {
      const was = element.hasAttribute("data-pressed");
      element.removeAttribute("data-pressed");
      return was;
    });
    if (!isPressed) missed.push(`${await target.innerText()}, beside ${field}`);
  }
  return missed;
}

const SIGNED_OUT = [
  ["/home", ["username", "password"]],
  ["/home/register", ["policyNo", "pid"]],
  ["/home/reset-password-init", ["username"]],
  ["/home/remind-login-init", ["policyNo"]],
] as const;

for (const [how, start] of [
  ["a mouse", mouse],
  ["a finger", finger],
] as const) {
  test(`[F34] the first press of ${how} counts on every link and button beside an empty field`, async ({
    person,
    page,
  }) => {
    await person.arrive();
    const press = await start(page);
    for (const [path, fields] of SIGNED_OUT) {
      await person.open(path);
      expect(await missedBeside(page, fields, press), path).toEqual([]);
    }
  });

  test(`[F34] the first press of ${how} counts beside a field that is checked when it is left`, async ({
    page,
    standAt,
  }) => {
    await standAt("set-password");
    const fields = ["authorizationCode", "newPassword", "newPasswordRepeat"];
    expect(await missedBeside(page, fields, await start(page))).toEqual([]);
  });
}
