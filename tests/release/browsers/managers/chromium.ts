import { chromium } from "@playwright/test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualDevice } from "../../../e2e/with-scripts/virtual-device";
import { until } from "../../../browsers/until";
import type { StartManaged } from "./manager";

const asRoot = process.getuid?.() === 0;

/** Starts the whole Chromium, without a window, and saves a sign-in in its settings. */
export const startChromiumWithSaved: StartManaged = async (path, origin, { username, password }) => {
  const profile = await mkdtemp(join(tmpdir(), "chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: path,
    // Playwright's own headless mode is the headless shell's, which has no password manager.
    headless: false,
    args: ["--headless=new", "--disable-gpu", ...(asRoot ? ["--no-sandbox"] : [])],
    locale: "pl-PL",
  });
  const page = await context.newPage();
  await page.goto("chrome://password-manager/passwords");
  const saved = JSON.stringify({
    url: `${origin}/home`,
    username,
    password,
    note: "",
    useAccountStore: false,
  });
  await page.evaluate(`chrome.passwordsPrivate.addPassword(${saved})`);
  await until("the sign-in to be saved", () =>
    page.evaluate("chrome.passwordsPrivate.getSavedPasswordList().then(({ length }) => length === 1)"),
  );
  return {
    takeOver: async (cookies) => {
      await context.clearCookies();
      await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })));
    },
    goto: async (address) => {
      await page.goto(address);
    },
    address: () => Promise.resolve(page.url()),
    evaluate: (expression) => page.evaluate(expression),
    press: () => page.keyboard.press("Shift"),
    click: (css) => page.click(css),
    connectDevice: async () => {
      await VirtualDevice.plugIn(page, { suggests: true });
    },
    // No test can read the suggestions, but this device takes one as soon as it is made.
    suggestPasskey: async (css) => {
      await page.click(css);
      await page.waitForURL("**/cp");
    },
    stop: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
};
