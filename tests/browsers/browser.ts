import type { SavedPdf } from "../saved-pdfs";

/** A browser as the journeys need it, whatever drives it. */
export interface Browser {
  /** Opens an address and waits until the page has loaded. */
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  /** Presses the browser's back button. */
  back(): Promise<void>;
  address(): Promise<string>;
  title(): Promise<string>;
  /** All matching elements, in page order. */
  all(css: string): Promise<readonly PageElement[]>;
  /** The focused element; undefined if there is none. */
  focused(): Promise<PageElement | undefined>;
  /** Evaluates an expression in the page. Only with scripts on. */
  evaluate(expression: string): Promise<unknown>;
  /** The PDFs saved in this visit, as soon as they are whole. */
  saved(): Promise<readonly SavedPdf[]>;
  /** Ends the visit. The next one starts without its cookies and storage. */
  close(): Promise<void>;
}

/** An element of the page. Once it is gone, its methods throw `NotNow`. */
export interface PageElement {
  isVisible(): Promise<boolean>;
  click(): Promise<void>;
  /** Presses it as people do: the mouse's button stays down for so many ms. */
  hold(ms: number): Promise<void>;
  /** Types into a field, replacing its value. */
  fill(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  attribute(name: string): Promise<string | null>;
  property(name: string): Promise<unknown>;
}

/** A key that is not a character. */
export type Key = "Enter" | "Escape" | "Tab" | "ArrowDown";

/** The element can't be used right now: it is gone, or something covers it. */
export class NotNow extends Error {}

/** A running browser, for one visitor after another. */
export interface Engine {
  /** The name and version it reports. */
  readonly name: string;
  /** Starts a new visitor's visit. */
  visit(): Promise<Browser>;
  stop(): Promise<void>;
}

/** How a browser is started. */
export interface EngineOptions {
  readonly scripts: boolean;
}
