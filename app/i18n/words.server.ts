import type { ParseKeys } from "i18next";
import type { polish } from "./polish.server";
import type { Translate } from "./texts.server";

/** A key that needs nothing filled in, with its namespace: `signIn:header`. */
export type TextKey = ParseKeys<(keyof typeof polish)[]>;
/** The words of a screen: what the component calls them, and where they stand in `locales`. */
export type WordList = Readonly<Record<string, TextKey>>;
/** The same list with texts instead of keys. */
export type Words<List extends WordList> = Readonly<Record<keyof List, string>>;

/** Picks a screen's texts; they travel in its loader data, and nothing else does. */
export function words<const List extends WordList>(t: Translate, list: List): Words<List> {
  return Object.fromEntries(Object.entries(list).map(([name, key]) => [name, t(key)])) as Words<List>;
}

/** Several texts, one after the other. */
export function sentences(t: Translate, keys: readonly TextKey[]): string {
  return keys.map((key) => t(key) as string).join(" ");
}
