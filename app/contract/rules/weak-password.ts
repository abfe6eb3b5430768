/**
 * Says when a new password is easy to guess although it meets every condition (S80). Advice only: such a password may
 * be used (docs/decisions/small.md#weak-passwords). Works offline, in the browser and on the server. Load it only when
 * needed, because its word list is larger than a screen's script.
 */
import { readPassword } from "./index";
import { words } from "./common-words.json";

/** Why a password is easy to guess: it names the insurer, the customer or the policy; or it is made of common words. */
export type Weakness = "personal" | "common";

/** A password that takes less effort than this is easy to guess. The unit: one step of a guessing program. */
const ENOUGH = 7;
const EFFORT = { word: 2, pattern: 1, letter: 2, digit: 0.5, other: 1 } as const;
/** Lengths in UTF-16 code units. */
const SHORTEST = { word: 4, name: 5, pattern: 3 } as const;
const LONGEST_WORD = 20;

const COMMON_WORDS: ReadonlySet<string> = new Set(words.split(" "));
/** Unlike other Polish letters, it doesn't decompose into a letter and a mark. */
const L_WITH_STROKE = /\u0142/g;
const YEAR = /^(19|20)\d\d$/;

/** Characters that people type instead of letters: "p@ssw0rd". */
const STANDS_FOR: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** The digits of the keys that give these characters with Shift: "zaq1@WSX" is a walk over the keyboard. */
const SHIFTED_DIGITS = ")!@#$%^&*(";

/**
 * Why the password is easy to guess; undefined if it isn't. For passwords that meet the conditions.
 * @param personal words that an attacker knows: the insurer's name, the username, policy numbers
 */
export function weaknessOf(password: string, personal: readonly string[]): Weakness | undefined {
  const typed = fold(readPassword(password));
  const ways = [typed, spellOut(typed), releaseShift(typed)];
  const contains = (text: string) => ways.some((way) => lettersAndDigits(way).includes(text));
  const names = personal.map((text) => lettersAndDigits(fold(text)));
  if (names.some((name) => name.length >= SHORTEST.name && contains(name))) return "personal";
  const parts = personal.flatMap((text) => fold(text).split(/[^a-z0-9]+/));
  const own = new Set(parts.filter((part) => part.length >= SHORTEST.word));
  if (effortOf(ways, (word) => COMMON_WORDS.has(word) || own.has(word)) >= ENOUGH) return undefined;
  return [...own].some(contains) ? "personal" : "common";
}

/** The least effort that builds the text out of words, patterns and single characters. All `ways` are equally long. */
function effortOf(ways: readonly string[], isKnown: (word: string) => boolean): number {
  const [typed = ""] = ways;
  const least = [0];
  for (let end = 1; end <= typed.length; end++) {
    let effort = Infinity;
    for (let start = Math.max(0, end - LONGEST_WORD); start < end; start++) {
      const part = typed.slice(start, end);
      const isWord = part.length >= SHORTEST.word && ways.some((way) => isKnown(way.slice(start, end)));
      const added = isWord ? EFFORT.word : isPattern(part) ? EFFORT.pattern : effortOfOne(part);
      effort = Math.min(effort, (least[start] ?? 0) + added);
    }
    least.push(effort);
  }
  return least[typed.length] ?? 0;
}

function effortOfOne(part: string): number {
  if (part.length > 1) return Infinity;
  if (/[0-9]/.test(part)) return EFFORT.digit;
  return /\p{L}/u.test(part) ? EFFORT.letter : EFFORT.other;
}

/** "123", "cba", "!!!", or a year. */
function isPattern(part: string): boolean {
  if (part.length < SHORTEST.pattern) return false;
  const step = part.charCodeAt(1) - part.charCodeAt(0);
  const isEven = [...part.slice(1)].every((_, at) => part.charCodeAt(at + 1) - part.charCodeAt(at) === step);
  return YEAR.test(part) || (isEven && Math.abs(step) <= 1);
}

/** Lower case, without marks: guessing programs try that first. */
function fold(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(L_WITH_STROKE, "l");
}

function spellOut(typed: string): string {
  return typed.replace(/[013457@$!]/g, (character) => STANDS_FOR[character] ?? character);
}

function releaseShift(typed: string): string {
  return typed.replace(/[)!@#$%^&*(]/g, (character) => String(SHIFTED_DIGITS.indexOf(character)));
}

function lettersAndDigits(text: string): string {
  return text.replace(/[^a-z0-9]/g, "");
}
