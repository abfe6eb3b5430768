import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type ElementHandle } from "@playwright/test";
import { savedIn } from "../../saved-pdfs";
import { NotNow, type Engine, type EngineOptions, type PageElement } from "../browser";

/** How long Playwright waits for an element to be usable; callers retry. */
const PATIENCE_MS = 2_000;

/** Starts Chromium, driven by Playwright. */
export async function startChromium(path: string, { scripts }: EngineOptions): Promise<Engine> {
  const asRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: path,
    // Chromium's sandbox refuses to run as root.
    args: ["--disable-gpu", "--disable-quic", ...(asRoot ? ["--no-sandbox"] : [])],
  });
  return {
    name: `Chromium ${browser.version()}`,
    visit: async () => {
      const context = await browser.newContext({
        javaScriptEnabled: scripts,
        locale: "pl-PL",
        ignoreHTTPSErrors: true,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const downloads = await mkdtemp(join(tmpdir(), "chromium-"));
      page.on("download", (file) => void file.saveAs(join(downloads, file.suggestedFilename())));
      return {
        goto: async (address) => {
          await page.goto(address);
        },
        reload: async () => {
          await page.reload();
        },
        back: async () => {
          // Chromium has no history while it switches pages.
          await page.waitForLoadState();
          await page.goBack();
        },
        address: () => Promise.resolve(page.url()),
        title: () => page.title(),
        all: async (css) => (await orNotNow(page.$$(css))).map(pageElement),
        focused: async () => {
          const element = (await page.evaluateHandle(() => document.activeElement)).asElement();
          return element ? pageElement(element) : undefined;
        },
        evaluate: (expression) => page.evaluate(expression),
        saved: () => savedIn(downloads),
        close: async () => {
          await context.close();
          await rm(downloads, { recursive: true });
        },
      };
    },
    stop: () => browser.close(),
  };
}

function pageElement(element: ElementHandle): PageElement {
  return {
    isVisible: () => orNotNow(element.isVisible()),
    click: () => orNotNow(element.click()),
    fill: (text) => orNotNow(element.fill(text)),
    press: (key) => orNotNow(element.press(key)),
    attribute: (name) => orNotNow(element.getAttribute(name)),
    property: (name) =>
      orNotNow(element.getProperty(name).then((value) => value.jsonValue() as Promise<unknown>)),
  };
}

async function orNotNow<Value>(result: Promise<Value>): Promise<Value> {
  try {
    return await result;
  } catch (error) {
    throw new NotNow(error instanceof Error ? error.message : "", { cause: error });
  }
}
