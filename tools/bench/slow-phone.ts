import type { Browser, BrowserContext } from "@playwright/test";
import { NEXT_PASSWORD } from "../../tests/new-account";
import { percentile } from "./percentile";
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

/** The least that any page costs: a document with one form, and no stylesheet, script or font. */
const ONE_FORM = `data:text/html,<!doctype html><html lang="pl"><meta name="viewport" content="width=device-width">
<title>-</title><h1>-</h1><form><label>- <input name="typed"></label></form></html>`;
/** The screen and the form take turns; one load of either says little. */
const LOADS = 5;

/** The longest task of the page's thread on a slow phone: while a screen loads, and while a visitor types. */
export async function slowPhoneRows(browser: Browser, screen: PhoneScreen): Promise<readonly Row[]> {
  const { name, url, field } = screen;
  const own: Felt[] = [];
  const bare: Felt[] = [];
  for (let turn = 0; turn < LOADS; turn += 1) {
    bare.push(await longestTasks(await phone(browser, screen), ONE_FORM, '[name="typed"]'));
    own.push(await longestTasks(await phone(browser, screen), url, `main [name="${field}"]`));
  }
  const rowOf = (when: keyof Felt, called: string): Row => ({
    name: `${name}: longest task ${called}, slow phone`,
    unit: "ms",
    measured: median(own, when),
    target: { of: "measured", bound: "at most", value: FELT_MS },
    floor: { value: median(bare, when), what: "an empty page with one form" },
    note: `Chromium, CPU ÷ ${SLOWER}, median of ${LOADS}; 0 is: none of ${FELT_MS} ms`,
  });
  return [rowOf("loading", "while loading"), rowOf("typing", "at a key")];
}

/** The longest tasks, in ms. */
interface Felt {
  readonly loading: number;
  readonly typing: number;
}

function median(loads: readonly Felt[], when: keyof Felt): number {
  const durations = loads.map((felt) => felt[when]);
  return percentile(durations, 50);
}

/** A first visit: nothing is in its cache. */
async function phone(browser: Browser, { url, cookies }: PhoneScreen): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: "pl-PL", viewport: { width: 360, height: 640 } });
  await context.addCookies(
    [...cookies].map(([cookie, value]) => ({ name: cookie, value, url: new URL("/", url).href })),
  );
  await context.addInitScript(() => {
    const felt: number[] = [];
    window.feltTasks = felt;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) felt.push(duration);
    }).observe({ type: "longtask", buffered: true });
  });
  return context;
}

/** Opens an address, types into a field, and closes the phone. */
async function longestTasks(context: BrowserContext, url: string, field: string): Promise<Felt> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const longest = async () => {
    const felt = await page.evaluate(() => window.feltTasks?.splice(0) ?? []);
    return Math.max(0, ...felt);
  };
  await page.goto(url, { waitUntil: "networkidle" });
  const loading = await longest();
  await page.locator(field).pressSequentially(TYPED);
  const typing = await longest();
  await context.close();
  return { loading, typing };
}
