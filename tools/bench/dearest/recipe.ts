import { addressNumber } from "../sign-in-load";
import type { WireRequest } from "../keep-alive";

/** Placeholder in a recipe, replaced each time it is sent, so that nothing remembered can make it cheap. */
export const NTH = "{nth}";
/** The length of its replacement, in characters. */
export const NTH_LENGTH = 6;

/** A body and its media type. */
export interface Body {
  readonly type: string;
  readonly text: string;
}

/** A request in parts that the search can change one by one. */
export interface Recipe {
  /** The kind of address: the search keeps the dearest request of each. */
  readonly place: string;
  readonly method: string;
  readonly path: string;
  /** Without the `?`; empty for none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Each `name=value`. */
  readonly cookies: readonly string[];
  readonly body: Body | undefined;
}

/** The nth request of a recipe. Each comes from an address of its own, as a proxy would say. */
export function toWire(recipe: Recipe, nth: number): WireRequest {
  const { method, path, query, headers, cookies, body } = recipe;
  const mark = `n${nth.toString(36).padStart(NTH_LENGTH - 1, "0")}`;
  const fill = (text: string) => text.replaceAll(NTH, mark);
  const forwarded = headers["X-Forwarded-For"];
  return {
    method,
    path: fill(query === "" ? path : `${path}?${query}`),
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
      "X-Forwarded-For": [forwarded, addressNumber(nth)].filter((part) => part !== undefined).join(", "),
      ...(cookies.length > 0 && { Cookie: fill(cookies.join("; ")) }),
      ...(body && { "Content-Type": body.type }),
    },
    ...(body && { body: fill(body.text) }),
  };
}

/** A recipe in a few words: its address, and the size of its headers, cookies and body. */
export function inShort({ method, path, query, headers, cookies, body }: Recipe): string {
  const address = shortened(query === "" ? path : `${path}?${query}`);
  const parts = [
    `${Object.keys(headers).length} headers of ${sizeOf(Object.values(headers))}`,
    cookies.length > 0 && `${cookies.length} cookies of ${sizeOf(cookies)}`,
    body && `${body.type.split(";", 1)[0] ?? ""} of ${sizeOf([body.text])}: ${shortened(body.text)}`,
  ];
  return [`${method} ${address}`, ...parts.filter((part) => typeof part === "string")].join(", ");
}

function sizeOf(texts: readonly string[]): string {
  return `${texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)} bytes`;
}

function shortened(text: string): string {
  return text.length <= 48 ? text : `${text.slice(0, 40)}… (${text.length})`;
}
