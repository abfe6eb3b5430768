import type { Browser } from "@playwright/test";
import { NEXT_PASSWORD } from "../new-account";
import type { Row } from "./row";

/** How much slower than this machine the phone is. */
const SLOWER = 6;
/** A task longer than this is felt (W3C Long Tasks), in ms. */
const FELT_MS = 50;
const TYPED = NEXT_PASSWORD.slice(0, 12);

/** A screen, and a field of it that people type into. */
export interface PhoneScreen {
  readonly name: string;
  readonly url: string;
  readonly cookies: ReadonlyMap<string, string>;
  readonly field: string;
}

declare global {
  interface Window {
    /** The durations of the tasks that were felt, in ms. */
    feltTasks?: number[];
  }
}

/** The longest task of the page's thread on a slow phone: while a screen loads, and while somebody types. */
export async function slowPhoneRows(browser: Browser, screen: PhoneScreen): Promise<readonly Row[]> {
  const { name, url, cookies, field } = screen;
  const context = await browser.newContext({ locale: "pl-PL", viewport: { width: 360, height: 640 } });
  await context.addCookies(
    [...cookies].map(([cookie, value]) => ({ name: cookie, value, url: new URL("/", url).href })),
  );
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.addInitScript(() => {
    const felt: number[] = [];
    window.feltTasks = felt;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) felt.push(duration);
    }).observe({ type: "longtask", buffered: true });
  });
  const longest = async () => {
    const felt = await page.evaluate(() => window.feltTasks?.splice(0) ?? []);
    return Math.max(0, ...felt);
  };
  await page.goto(url, { waitUntil: "networkidle" });
  const loading = await longest();
  await page.locator(`main [name="${field}"]`).pressSequentially(TYPED);
  const typing = await longest();
  await context.close();
  const target = { of: "measured", bound: "at most", value: FELT_MS } as const;
  const note = `Chromium, CPU ÷ ${SLOWER}; 0 is: none of ${FELT_MS} ms`;
  return [
    { name: `${name}: longest task while loading, slow phone`, unit: "ms", measured: loading, target, note },
    { name: `${name}: longest task at a key, slow phone`, unit: "ms", measured: typing, target, note },
  ];
}
