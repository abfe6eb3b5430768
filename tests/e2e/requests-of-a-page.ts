// The requests that a page's scripts make, and the moment when the page has handled an answer.
import { expect, type Locator, type Page, type Route } from "@playwright/test";

/** A minute by the page's own clock: longer than any timer that is due soon (ms). */
const AHEAD_MS = 60_000;
/** How long an answer may take on a busy machine (ms). */
const PATIENCE_MS = 300_000;
/** How long the spinner stays after a request (specification §9; ms). */
const SPINNER_STAYS_MS = 100;

/** The spinner, which shows while a request is under way. */
export function spinnerOf(page: Page): Locator {
  return page.locator(".spinner");
}

/** Holds back all requests of the script: forms, and pages shown in place. The returned function releases them. */
export async function holdBack(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let holding = true;
  const hold = (route: Route) =>
    holding && route.request().resourceType() === "fetch" ? void held.push(route) : route.fallback();
  await page.route("**/*", hold);
  return async () => {
    holding = false;
    await Promise.all(held.map((route) => route.fallback()));
    await page.unroute("**/*", hold);
  };
}

/**
 * Does something that sends a request, and waits until the page has handled the answer. The request is held back until
 * the spinner shows, so that nothing already on the page can be mistaken for the answer.
 */
export async function withAnswer(page: Page, act: () => Promise<void>): Promise<void> {
  await whileHeld(page, act);
  await page.waitForFunction(() => document.querySelector(".spinner") === null);
}

/**
 * The same on a page whose clock is stopped. The clock advances by 0.1 s or little more, so timers that start at the
 * last request start from here, however slow the machine.
 */
export async function withAnswerOnStoppedClock(page: Page, act: () => Promise<void>): Promise<void> {
  await whileHeld(page, act);
  await expect
    .poll(
      async () => {
        try {
          await page.clock.runFor(SPINNER_STAYS_MS);
          await effectsHaveRun(page);
          return await spinnerOf(page).count();
        } catch (error) {
          if (isLeft(error)) return "the page is being left";
          throw error;
        }
      },
      { timeout: PATIENCE_MS, intervals: [SPINNER_STAYS_MS] },
    )
    .toBe(0);
}

/** Whether the answer has led to another page meanwhile. */
function isLeft(error: unknown): boolean {
  return error instanceof Error && error.message.includes("Execution context was destroyed");
}

async function whileHeld(page: Page, act: () => Promise<void>): Promise<void> {
  const letThrough = await holdBack(page);
  await act();
  await spinnerOf(page).waitFor({ state: "attached" });
  await letThrough();
}

/** Stops the page's clock, which `page.clock.install()` started: from now on only the test advances it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + AHEAD_MS);
  await effectsHaveRun(page);
}

/** Waits until the page has done everything that is due by now: each task here queues behind those already there. */
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
