import { expect, test as base, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { startPortal, type Portal } from "../../portal";
import { IS_RELEASE } from "../../release-run";
import { Person } from "../person";

export { expect };

interface TestFixtures {
  /** Opens a page of the gallery and waits for its script. */
  readonly open: (path: string) => Promise<void>;
  /** A page in a browser whose own setting doubles the text. */
  readonly largePage: Page;
}

interface WorkerFixtures {
  readonly portal: Portal;
  /** Media queries in em follow the device's own setting, which a style sheet can't change. */
  readonly largeBrowser: Browser;
  /** The visit that all tests of a worker share, once one of them has begun it. */
  readonly shared: { visit?: BrowserContext; largePage?: Page };
}

/** Tests that only look at pages of the gallery: no customer signs in, no message is sent. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  portal: [
    async ({}, use) => {
      const portal = await startPortal();
      await use(portal);
      await portal.stop();
    },
    { scope: "worker" },
  ],
  // Not `test.use({ launchOptions })`: its file would have workers, and so portals, of its own.
  largeBrowser: [
    async ({ playwright, launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), "--blink-settings=defaultFontSize=32"];
      const browser = await playwright.chromium.launch({ ...launchOptions, args });
      await use(browser);
      await browser.close();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ portal }, use) => use(portal.origin),
  shared: [({}, use) => use({}), { scope: "worker" }],
  // A visit for each test would fetch and compile the same files again. A test's emulation ends with its page.
  // A visit that begins in a test has the project's options.
  page: async ({ browser, shared }, use) => {
    shared.visit ??= await browser.newContext();
    const page = await shared.visit.newPage();
    await use(page);
    await page.close();
  },
  open: ({ page, portal }, use) => use((path) => new Person(page, portal, true).open(path)),
  largePage: async ({ largeBrowser, shared }, use) => {
    shared.largePage ??= await largeBrowser.newPage({ viewport: { width: 360, height: 740 } });
    await use(shared.largePage);
  },
});

/** The addresses of all states of a screen, or of all screens. */
export async function statesOf(page: Page, screen?: string): Promise<readonly string[]> {
  const html = await (await page.request.get("/demo/gallery")).text();
  const hrefs = [...html.matchAll(/href="(\/demo\/gallery\/[^"]+)"/g)].map(([, href = ""]) => href);
  return screen === undefined
    ? hrefs
    : hrefs.filter((href) => href.replace("/demo/gallery/", "").split("/")[0] === screen);
}

/** A refusal of each kind: above the form, in a dialog, as a list, at the only field. */
const REFUSED = ["login/101", "mfa/016", "set-password/rules-broken", "remind-login-submit/007"];

/** The states of a screen that a run looks at: the first, and some refused ones; before a release all. */
export async function lookedAt(page: Page, screen: string): Promise<readonly string[]> {
  if (IS_RELEASE) return statesOf(page, screen);
  const refused = REFUSED.filter((state) => state.startsWith(`${screen}/`));
  return [screen, ...refused].map((state) => `/demo/gallery/${state}`);
}

/** The errors and warnings of a page on the console from now on, except that a state was answered with an error. */
export function listenToConsole(page: Page): string[] {
  const said: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    const isFault = ["error", "warning"].includes(message.type());
    if (isFault && !text.startsWith("Failed to load resource")) said.push(text);
  });
  page.on("pageerror", ({ message }) => said.push(message));
  return said;
}
