import type { CallName } from "~/contract/calls.server";
import type { FormName } from "./screens";

/** A placeholder in generated text, replaced by the sender's mark. */
export const MARK = "{mark}";
/** Stands for the portal's host and port. */
export const HOST = "{host}";

/** The value of a field: the right one, something encoded already, or a mark filled up to a length. */
export type Value =
  | { readonly kind: "right" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "long"; readonly filler: string; readonly length: number };

/** A part of a form or of a JSON object: a field, or text of the same syntax. */
export type Part =
  | { readonly kind: "field"; readonly name: string; readonly value: Value }
  | { readonly kind: "raw"; readonly text: string };

/** A change to the cookies of a request. */
export type CookieChange =
  | { readonly kind: "none" }
  | { readonly kind: "added"; readonly text: string }
  /** Each value is cut here, and this is put in its place. */
  | { readonly kind: "broken"; readonly at: number; readonly text: string }
  | { readonly kind: "doubled" };

/** The unusual parts of a request's head. */
export interface Head {
  /** Names and values, of Latin-1 characters. */
  readonly headers: readonly (readonly [string, string])[];
  readonly cookies?: CookieChange | undefined;
  readonly method?: string | undefined;
}

/** One of the two visitors of a walk. */
export type Who = 0 | 1;

/** Posts a form, once or twice at the same moment. */
export interface FormStep {
  readonly kind: "form";
  readonly who: Who;
  readonly form: FormName;
  readonly parts: readonly Part[];
  readonly head: Head;
  /** As the page's script sends it. */
  readonly isScripted: boolean;
  readonly times: 1 | 2;
  /** Latin-1 sends bytes that are not UTF-8. */
  readonly encoding: "utf8" | "latin1";
}

/** Makes a call of the API, once or twice at the same moment. */
export interface CallStep {
  readonly kind: "call";
  readonly who: Who;
  readonly call: CallName;
  /** For the field in the path. */
  readonly segment: Value;
  /** Fields of an object, or the whole body. */
  readonly body:
    | { readonly kind: "object"; readonly parts: readonly Part[] }
    | { readonly kind: "raw"; readonly text: string };
  readonly head: Head;
  readonly times: 1 | 2;
  readonly encoding: "utf8" | "latin1";
}

/** Asks for a page or a file. */
export interface PageStep {
  readonly kind: "page";
  readonly who: Who;
  /** Path and query. */
  readonly path: string;
  readonly head: Head;
}

/** Writes bytes that no client would send, one for each Latin-1 character. */
interface WireStep {
  readonly kind: "wire";
  readonly who: Who;
  readonly bytes: string;
}

/** The two visitors swap their cookies. */
interface SwapStep {
  readonly kind: "swap";
}

/** The next step of a walk. */
export type Step = FormStep | CallStep | PageStep | WireStep | SwapStep;
