import { savedIn } from "../../saved-pdfs";
import { NotNow, type Browser, type Key, type PageElement } from "../browser";

/** The key that marks an object as an element, fixed by the WebDriver standard. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const KEYS: Readonly<Record<Key, string>> = {
  Enter: "\uE007",
  Escape: "\uE00C",
  Tab: "\uE004",
  ArrowDown: "\uE015",
};

/** The standard's names of errors that may pass on a retry. */
const NOT_NOW = [
  "stale element reference",
  "no such element",
  "element click intercepted",
  "element not interactable",
  "timeout",
];

/** The WebDriver commands that the journeys use, with their parameters. */
export interface Commands {
  readonly Navigate: { readonly url: string };
  readonly Refresh: object;
  readonly Back: object;
  readonly GetTitle: object;
  readonly FindElements: { readonly using: "css selector"; readonly value: string };
  readonly GetActiveElement: object;
  readonly ExecuteScript: { readonly script: string; readonly args: readonly unknown[] };
  readonly IsElementDisplayed: OfElement;
  readonly ElementClick: OfElement;
  readonly PerformActions: { readonly actions: readonly object[] };
  readonly ElementClear: OfElement;
  readonly ElementSendKeys: OfElement & { readonly text: string };
  readonly GetElementAttribute: OfElement & { readonly name: string };
  readonly GetElementProperty: OfElement & { readonly name: string };
}

interface OfElement {
  readonly id: string;
}

/** Sends a command and returns its result. @throws WebDriverError if the driver returns an error */
export type Send = <Name extends keyof Commands>(name: Name, parameters: Commands[Name]) => Promise<unknown>;

/** An error that a driver returns. */
export class WebDriverError extends Error {
  /** The standard's name for the error. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** A browser driven by WebDriver commands, whatever carries them. It saves files in the folder `downloads`. */
export function webDriverBrowser(send: Send, downloads: string, close: () => Promise<void>): Browser {
  const all = async (value: string) => {
    const found = await orNotNow(send("FindElements", { using: "css selector", value }));
    return Array.isArray(found) ? found.map(idOf) : [];
  };
  return {
    goto: (url) => loaded(send("Navigate", { url })),
    reload: () => loaded(send("Refresh", {})),
    back: () => loaded(send("Back", {})),
    // Not GetCurrentURL: at times WebKit returns the address that a form was sent to, before there is an answer.
    address: async () => {
      const [root = ""] = await all(":root");
      return String(await orNotNow(send("GetElementProperty", { id: root, name: "baseURI" })));
    },
    title: async () => String(await orNotNow(send("GetTitle", {}))),
    all: async (css) => (await all(css)).map((id) => pageElement(send, id)),
    focused: async () => pageElement(send, idOf(await orNotNow(send("GetActiveElement", {})))),
    evaluate: (expression) => send("ExecuteScript", { script: `return ${expression}`, args: [] }),
    saved: () => savedIn(downloads),
    close,
  };
}

function pageElement(send: Send, id: string): PageElement {
  return {
    isVisible: async () => (await orNotNow(send("IsElementDisplayed", { id }))) === true,
    click: () => done(orNotNow(send("ElementClick", { id }))),
    hold: async (ms) => {
      const actions = [
        { type: "pointerMove", duration: 0, x: 0, y: 0, origin: { [ELEMENT]: id } },
        { type: "pointerDown", button: 0 },
        { type: "pause", duration: ms },
        { type: "pointerUp", button: 0 },
      ];
      const mouse = { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions };
      await done(orNotNow(send("PerformActions", { actions: [mouse] })));
    },
    fill: async (text) => {
      await orNotNow(send("ElementClear", { id }));
      await orNotNow(send("ElementSendKeys", { id, text }));
    },
    press: (key) => done(orNotNow(send("ElementSendKeys", { id, text: KEYS[key] }))),
    attribute: async (name) => {
      const value = await orNotNow(send("GetElementAttribute", { id, name }));
      return typeof value === "string" ? value : null;
    },
    property: (name) => orNotNow(send("GetElementProperty", { id, name })),
  };
}

async function done(work: Promise<unknown>): Promise<void> {
  await work;
}

/** Waits for a page, but not too long: a step that needs something on it waits for that itself. */
async function loaded(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof WebDriverError && error.code === "timeout")) throw error;
  });
}

function idOf(element: unknown): string {
  if (typeof element === "object" && element !== null && ELEMENT in element) return String(element[ELEMENT]);
  throw new NotNow("no element");
}

async function orNotNow(result: Promise<unknown>): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof WebDriverError && NOT_NOW.includes(error.code))
      throw new NotNow(error.message, { cause: error });
    throw error;
  }
}
