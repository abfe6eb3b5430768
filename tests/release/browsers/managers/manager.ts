import type { RegisteredCustomer } from "../../../demo-customers";

/** The one sign-in that is saved. */
export type SavedSignIn = Pick<RegisteredCustomer, "username" | "password">;

/** A browser whose own password manager has one sign-in saved, and fills it in by itself. */
export interface ManagedBrowser {
  /** Goes on as another browser, with its cookies alone. */
  takeOver(cookies: ReadonlyMap<string, string>): Promise<void>;
  /** Opens an address and waits until the page has loaded. */
  goto(address: string): Promise<void>;
  address(): Promise<string>;
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** A press that does nothing. Until there is one, Chromium hides the values it filled in from a page's scripts. */
  press(): Promise<void>;
  click(css: string): Promise<void>;
  /** Connects a device that keeps passkeys. Firefox suggests them without one. */
  connectDevice?(): Promise<void>;
  /** Touches a field, and waits until the browser suggests a passkey there. */
  suggestPasskey(css: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a browser in which this sign-in is saved for this origin. */
export type StartManaged = (path: string, origin: string, saved: SavedSignIn) => Promise<ManagedBrowser>;
