import type { ParseKeys } from "i18next";
import type { polish } from "./all-texts.server";
import type { Translate } from "./texts.server";

/** The key of a text without gaps, with its namespace: `signIn:header`. */
export type TextKey = ParseKeys<(keyof typeof polish)[]>;
/** A screen's texts: the component's name for each, and its key in `locales`. */
type WordList = Readonly<Record<string, TextKey>>;
/** The same list with texts instead of keys. */
type Words<List extends WordList> = Readonly<Record<keyof List, string>>;

/** Picks a screen's texts. Only these are sent in its loader data. */
export function words<const List extends WordList>(t: Translate, list: List): Words<List> {
  return Object.fromEntries(Object.entries(list).map(([name, key]) => [name, t(key)])) as Words<List>;
}

/** Several texts, joined by spaces. */
export function sentences(t: Translate, keys: readonly TextKey[]): string {
  return keys.map((key) => t(key) as string).join(" ");
}
