import type { RegisteredCustomer } from "../demo-customers";
import { PageVisitor } from "../page-visitor";
import type { Visitor } from "../visitor";

/** A text, or a pattern of one. Spaces of all kinds count as one space. */
export type Words = string | RegExp;

/** A part of a page. Several keys narrow it down, in this order. Default: the page's main part. */
export interface Place {
  readonly landmark?: "header" | "main" | "footer" | "body";
  /** An open dialog with this heading. */
  readonly dialog?: Words;
  /** The section with this heading. */
  readonly section?: Words;
  /** The element with this id. */
  readonly id?: string;
  /** The first item of a list with these words. */
  readonly item?: Words;
  /** The value beside this term, in a list of facts. */
  readonly fact?: string;
}

/** What a page offers to a person. */
export type Offer = "button" | "link" | "heading" | "item" | "field" | "picture" | "dialog";

/** A file that a link has saved. */
export interface SavedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A visitor who walks the journeys of tests/e2e, in Chromium or without a browser. */
export abstract class JourneyVisitor extends PageVisitor {
  abstract reload(): Promise<void>;
  /** Waits until the address is this path, with its query and fragment. */
  abstract override lands(path: Words): Promise<void>;
  /** The path of the present page, with its query and fragment. */
  abstract path(): Promise<string>;
  /** The present page came with this status. */
  abstract answered(status: number): Promise<void>;

  /** Presses the button with these words. */
  abstract override press(words: Words, place?: Place): Promise<void>;
  /** Presses a button that sends its form, and waits for the answer. */
  abstract send(words: Words, place?: Place): Promise<void>;
  /** Follows the link with these words. */
  abstract follow(words: Words, place?: Place): Promise<void>;
  /** Turns the switch with these words on or off. */
  abstract turn(words: Words, on: boolean): Promise<void>;
  /** Opens what is folded under these words, if it isn't open. */
  abstract unfold(words: Words): Promise<void>;
  /** Follows a link to a file, and saves it. */
  abstract saves(words: Words, place?: Place): Promise<SavedFile>;

  /** The place shows these words. */
  abstract reads(words: Words, place?: Place): Promise<void>;
  /** The place doesn't show these words, or isn't there. */
  abstract lacks(words: Words, place?: Place): Promise<void>;
  /** What the place shows. */
  abstract textOf(place?: Place): Promise<string>;
  abstract titled(title: Words): Promise<void>;
  /** The page's first heading says this. */
  abstract headed(words: Words): Promise<void>;
  /** The alert above a refused form says this. */
  abstract alerted(words: Words): Promise<void>;
  /** A refused form gives this reason: above it, or at its only field (F24). */
  abstract refused(words: Words): Promise<void>;
  /** How often the place offers something with these words; undefined: whatever its words. */
  abstract offers(kind: Offer, words: Words | undefined, count: number, place?: Place): Promise<void>;
  /** Where a link leads: its address as it stands in the page. */
  abstract linkOf(words: Words, place?: Place): Promise<string>;

  /** The field with this name or label holds this. */
  abstract holds(name: string, value: Words): Promise<void>;
  /** The field has this attribute. */
  abstract has(name: string, attribute: string, value: Words): Promise<void>;
  /** The field is at fault, and its description says why. */
  abstract faulty(name: string, why?: Words): Promise<void>;
  /** The field is not at fault. */
  abstract sound(name: string): Promise<void>;
  /** The switch is on or off. */
  abstract isTurned(words: Words, on: boolean): Promise<void>;
  /** What a secret field holds after a refusal: scripts keep the typed text, the server never sends it. */
  abstract secretAfterRefusal(typed: string): string;

  /** The names of the visitor's cookies. */
  abstract cookieNames(): Promise<readonly string[]>;
  /** Loses the cookies with such names. */
  abstract forget(names: RegExp): Promise<void>;
  /** Goes on with another visitor's cookies. */
  abstract takeOver(visitor: Visitor): Promise<void>;

  /** Fills in fields by their names. */
  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(fields)) await this.type(name, text);
  }

  /** Signs out with the link in the header and its question. */
  async signOut(): Promise<void> {
    await this.follow("Wyloguj się", { landmark: "header" });
    await this.press("Wyloguj się", { dialog: "Czy chcesz się wylogować?" });
    await this.lands("/home/logout");
  }

  /** Signs in again after signing out, as far as the answer. */
  async signInAgain(customer: Pick<RegisteredCustomer, "username" | "password">): Promise<void> {
    await this.signOut();
    await this.open("/home");
    await this.login(customer);
  }

  /** Fills in the form of a new password, and sends it. */
  async setPassword(code: string, password: string, repeat = password): Promise<void> {
    await this.fill({ authorizationCode: code, newPassword: password, newPasswordRepeat: repeat });
    await this.press("Zapisz");
  }

  /** Asks for another code until it is sent: the button has no effect for a moment after the last message. */
  abstract resendCode(phone: string): Promise<void>;
}
