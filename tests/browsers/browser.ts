/** What the journeys need of a browser, whichever it is and however it is driven. */
export interface Browser {
  /** Opens an address and waits until the page is there. */
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  /** As the browser's own button does. */
  back(): Promise<void>;
  address(): Promise<string>;
  title(): Promise<string>;
  /** All elements that match, in the order of the page. */
  all(css: string): Promise<readonly PageElement[]>;
  /** What has the focus; undefined when it is nowhere in particular. */
  focused(): Promise<PageElement | undefined>;
  /** The value of an expression in the page. Only with scripts on. */
  evaluate(expression: string): Promise<unknown>;
  /** Ends the visit: nothing of it is left for the next one. */
  close(): Promise<void>;
}

/** An element of the page. What is asked of one that has gone is refused with `NotNow`. */
export interface PageElement {
  isVisible(): Promise<boolean>;
  click(): Promise<void>;
  /** Types into a field, in place of what is there. */
  fill(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  attribute(name: string): Promise<string | null>;
  property(name: string): Promise<unknown>;
}

/** A key that is no letter. */
export type Key = "Enter" | "Escape" | "Tab";

/** The element can't be used at this moment: it has gone, or something lies over it. */
export class NotNow extends Error {}

/** A browser that runs, for one visitor after another. */
export interface Engine {
  /** As it calls itself, with its version. */
  readonly name: string;
  /** Somebody who has not been here before. */
  visit(): Promise<Browser>;
  stop(): Promise<void>;
}

/** How a browser is started. */
export interface EngineOptions {
  readonly scripts: boolean;
}
