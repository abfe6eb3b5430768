import type { RegisteredCustomer } from "../../demo-customers";

/** What is saved: one sign-in. */
export type SavedSignIn = Pick<RegisteredCustomer, "username" | "password">;

/** A browser whose own password manager has one sign-in saved, and fills it in by itself. */
export interface ManagedBrowser {
  /** Goes on as another browser, with its cookies alone. */
  takeOver(cookies: ReadonlyMap<string, string>): Promise<void>;
  /** Opens an address and waits until the page has loaded. */
  goto(address: string): Promise<void>;
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** A press that does nothing. Chromium shows a page's scripts what it has filled in only after one. */
  press(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a browser in which this sign-in is saved for this origin. */
export type StartManaged = (path: string, origin: string, saved: SavedSignIn) => Promise<ManagedBrowser>;
