// What a page asks of the server by its scripts, and when it is done with an answer.
import { expect, type Locator, type Page, type Route } from "@playwright/test";

/** Remix asks for data, and sends forms, at these addresses. */
const DATA = /\.data(\?|$)/;
/** A minute of the page's own clock, beyond all that is due soon; in ms. */
const AHEAD_MS = 60_000;
/** An answer may take so long on a busy machine, in ms. */
const PATIENCE_MS = 20_000;
/** How long the spinner outlasts a request (specification §9), in ms. */
const SPINNER_STAYS_MS = 100;

/** What shows that a request is under way. */
export function spinnerOf(page: Page): Locator {
  return page.locator(".spinner");
}

/** Holds every request for data back, until they are let through. */
export async function holdBack(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let holding = true;
  await page.route(DATA, (route) => (holding ? void held.push(route) : route.fallback()));
  return async () => {
    holding = false;
    await Promise.all(held.map((route) => route.fallback()));
  };
}

/**
 * Does something that asks the server, and waits until its answer is there and the page has taken it in. The request is
 * held back until it shows: by then nothing that stood there before can be taken for the answer.
 */
export async function withAnswer(page: Page, act: () => Promise<void>): Promise<void> {
  await whileHeld(page, act);
  await expect(spinnerOf(page)).toHaveCount(0, { timeout: PATIENCE_MS });
}

/**
 * The same on a page whose clock stands still. Its time goes on by 0.1 s, or little more: whatever is counted from the
 * last request is counted from here, however slow the machine.
 */
export async function withAnswerAtStandstill(page: Page, act: () => Promise<void>): Promise<void> {
  await whileHeld(page, act);
  await expect
    .poll(
      async () => {
        await page.clock.runFor(SPINNER_STAYS_MS);
        await effectsHaveRun(page);
        return spinnerOf(page).count();
      },
      { timeout: PATIENCE_MS },
    )
    .toBe(0);
}

async function whileHeld(page: Page, act: () => Promise<void>): Promise<void> {
  const letThrough = await holdBack(page);
  await act();
  await expect(spinnerOf(page)).toHaveCount(1);
  await letThrough();
}

/** Stops the page's clock, which `page.clock.install()` has set going: from now on time passes only as the test says. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + AHEAD_MS);
  await effectsHaveRun(page);
}

/**
 * React runs the effects of what it has put on the page in a task of its own, and what they change in another one. No
 * clock is asked for these tasks, and each of ours waits in the same row behind them.
 */
export async function effectsHaveRun(page: Page): Promise<void> {
  for (let task = 0; task < 3; task += 1) {
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => {
            resolve();
          };
          channel.port2.postMessage(undefined);
        }),
    );
  }
}
