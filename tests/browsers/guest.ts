import { PageVisitor } from "../page-visitor";
import type { PublicPortal } from "../portal";
import type { SavedPdf } from "../saved-pdfs";
import { NotNow, type Browser, type PageElement } from "./browser";
import { until } from "./until";

/** Selectors that every browser understands. */
const BUTTON = "main button";
const LINK = "main a";
/** How long the button of a mouse stays down. */
const PRESS_MS = 120;
/** Whether the page has come and its enhancements have started; its script marks the document then. */
export const ALIVE =
  'document.readyState === "complete" && document.documentElement.dataset.scripts === "on"';

/** A visitor in one of the browsers that Playwright doesn't drive, with or without scripts. */
export class Guest extends PageVisitor {
  readonly browser: Browser;
  readonly portal: PublicPortal;
  readonly scripts: boolean;

  constructor(browser: Browser, portal: PublicPortal, scripts: boolean) {
    super();
    this.browser = browser;
    this.portal = portal;
    this.scripts = scripts;
  }

  /** Opens an address and waits for the page's script, if scripts are on. */
  override async open(path: string): Promise<void> {
    await this.browser.goto(`${this.portal.origin}${path}`);
    await this.alive();
  }

  /** Waits until the enhancements have started. */
  async alive(): Promise<void> {
    if (!this.scripts) return;
    await this.#until("the page to come alive", () => this.browser.evaluate(ALIVE).catch(() => false));
  }

  /** The path with query and fragment. */
  async path(): Promise<string> {
    return (await this.browser.address()).replace(this.portal.origin, "");
  }

  /** Waits until the browser is at this path. */
  override async lands(path: string | RegExp): Promise<void> {
    const isThere = (now: string) => (typeof path === "string" ? now === path : path.test(now));
    await this.#until(`to be at ${path}`, async () => isThere(await this.path()));
    await this.alive();
  }

  /** Waits until one of the elements shows these words. */
  async reads(words: string | RegExp, css = "main"): Promise<void> {
    const matches = (text: string) => (typeof words === "string" ? text.includes(words) : words.test(text));
    await this.#until(`to read ${words} in ${css}`, async () => (await this.#texts(css)).some(matches));
  }

  /** Waits until none of the elements shows these words. */
  async lacks(words: string, css = "main"): Promise<void> {
    await this.#until(`not to read ${words} in ${css}`, async () =>
      (await this.#texts(css)).every((text) => !text.includes(words)),
    );
  }

  /** Waits until no such element is visible. */
  async gone(css: string): Promise<void> {
    await this.#until(`${css} to be gone`, async () => (await this.#visible(css)).length === 0);
  }

  /** The texts of the visible matching elements. */
  async texts(css: string): Promise<readonly string[]> {
    return this.#until(`to read ${css}`, () => this.#texts(css));
  }

  /** Clicks the element with these words. */
  override async press(words: string, css = BUTTON): Promise<void> {
    await this.#do(`${words} in ${css}`, css, words, (element) => element.click());
  }

  /** Presses the link with these words as people do, with a button that stays down for a moment. */
  async holdDown(words: string, css = LINK): Promise<void> {
    await this.#do(`${words} in ${css}`, css, words, (element) => element.hold(PRESS_MS));
  }

  async follow(words: string, css = LINK): Promise<void> {
    await this.press(words, css);
  }

  /** Follows the link to a PDF and waits until the browser has saved it. */
  async saves(words: string): Promise<SavedPdf> {
    await this.alive();
    const before = (await this.browser.saved()).map(({ name }) => name);
    await this.follow(words);
    return this.#until(`the PDF of ${words}`, async () =>
      (await this.browser.saved()).find(({ name }) => !before.includes(name)),
    );
  }

  /** Types into the field with this name, replacing its value. */
  override async type(name: string, text: string): Promise<void> {
    await this.#do(`the field ${name}`, field(name), undefined, (element) => element.fill(text));
  }

  /** Clicks into the field with this name. */
  async clickInto(name: string): Promise<void> {
    await this.#do(`the field ${name}`, field(name), undefined, (element) => element.click());
  }

  /** Presses Enter in the field with this name. */
  async enter(name: string): Promise<void> {
    await this.#do(`the field ${name}`, field(name), undefined, (element) => element.press("Enter"));
  }

  /** Presses Esc, wherever the focus is. */
  async escape(): Promise<void> {
    const element = await this.#until("to have a focus", () => this.browser.focused());
    await element.press("Escape");
  }

  /** The value of the field with this name. */
  async value(name: string): Promise<unknown> {
    return (await this.#first(field(name))).property("value");
  }

  /** An attribute of the field with this name. */
  async attribute(name: string, attribute: string): Promise<string | null> {
    return (await this.#first(field(name))).attribute(attribute);
  }

  /** The text of the focused element. */
  async focusedWords(): Promise<string> {
    const element = await this.browser.focused();
    return element ? textOf(element) : "";
  }

  /** Signs out with the link in the header and its question. */
  async signOut(): Promise<void> {
    await this.follow("Wyloguj się", "header a");
    await this.press("Wyloguj się", "dialog button");
    await this.lands("/home/logout");
  }

  /** Acts on the first element with these words, as soon as possible. */
  async #do(
    what: string,
    css: string,
    words: string | undefined,
    work: (element: PageElement) => Promise<void>,
  ): Promise<void> {
    await this.#until(what, async () => {
      for (const element of await this.#visible(css))
        if (words === undefined || (await textOf(element)) === words) {
          await work(element);
          return true;
        }
      return false;
    });
  }

  async #texts(css: string): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const element of await this.#visible(css)) texts.push(await textOf(element));
    return texts;
  }

  async #first(css: string): Promise<PageElement> {
    return this.#until(css, async () => (await this.#visible(css))[0]);
  }

  /** Fills in the form of a new password, and sends it. */
  async typePasswords(code: string, password: string): Promise<void> {
    await this.type("authorizationCode", code);
    await this.type("newPassword", password);
    await this.type("newPasswordRepeat", password);
    await this.press("Zapisz");
  }

  async #visible(css: string): Promise<readonly PageElement[]> {
    const visible: PageElement[] = [];
    for (const element of await this.browser.all(css)) if (await element.isVisible()) visible.push(element);
    return visible;
  }

  /** Waits; on timeout, the error gives the path and the page's text. */
  async #until<Value>(awaited: string, look: () => Promise<Value>): Promise<NonNullable<Value>> {
    try {
      return await until(awaited, () => look().catch(undefinedIfNotNow));
    } catch (error) {
      const page = (await this.#texts("body").catch(undefinedIfNotNow))?.join("\n");
      throw new Error(`At ${await this.path()}, for ${awaited}:\n${page}`, { cause: error });
    }
  }
}

const field = (name: string) => `main [name="${name}"]`;

async function textOf(element: PageElement): Promise<string> {
  return String(await element.property("textContent"))
    .replace(/\s+/g, " ")
    .trim();
}

function undefinedIfNotNow(error: unknown): undefined {
  if (!(error instanceof NotNow)) throw error;
}
