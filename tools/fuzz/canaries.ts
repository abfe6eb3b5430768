import { randomInt } from "node:crypto";

/**
 * The kinds of marked text:
 * - `secret`: a password or a code; nowhere at all
 * - `typed`: a name, a number or anything else; only in pages for the visitor who typed it
 * - `kept`: a name that the portal stores; in the same pages and in the database
 */
export type MarkKind = "secret" | "typed" | "kept";

const LETTERS: Readonly<Record<MarkKind, string>> = { secret: "s", typed: "t", kept: "k" };
const KINDS = Object.keys(LETTERS) as readonly MarkKind[];
const TAG_LETTERS = 6;
const ALPHABET = 26;
const BITS = { byte: 8, base64: 6 };

/** The place where a text was found, and so which marks it may hold. */
export interface Reader {
  readonly kinds: readonly MarkKind[];
  /** Numbers of the people whose marks these may be; undefined: of all people. */
  readonly people?: ReadonlySet<number>;
}

/** May read nothing that was typed: headers, the log, the metrics. */
export const NOBODY: Reader = { kinds: [] };

/** Marks that a run puts into the texts it types, and finds again wherever it looks. */
export class Canaries {
  readonly #tag: string;
  readonly #plain: RegExp;
  readonly #encoded: RegExp;

  /** @param tag a few letters that occur nowhere else; random by default */
  constructor(tag = randomTag()) {
    this.#tag = tag;
    this.#plain = new RegExp(`${tag}([${Object.values(LETTERS).join("")}])(\\d+)z`, "gi");
    const spellings = [Buffer.from(tag).toString("hex"), ...[0, 1, 2].map((offset) => base64Of(tag, offset))];
    this.#encoded = new RegExp(spellings.join("|"));
  }

  /** A mark of ASCII letters and digits, which no escaping changes. */
  mark(kind: MarkKind, person: number): string {
    return `${this.#tag}${LETTERS[kind]}${person}z`;
  }

  /** The marks in a text that this reader must not see, and all marks in base64 or hex. */
  leaksIn(text: string, { kinds, people }: Reader): readonly string[] {
    const plain = [...text.matchAll(this.#plain)].flatMap(([mark, letter, digits]) => {
      const kind = KINDS.find((name) => LETTERS[name] === letter?.toLowerCase());
      const isAllowed =
        kind !== undefined && kinds.includes(kind) && (people === undefined || people.has(Number(digits)));
      return isAllowed ? [] : [`${kind ?? "unknown"} mark ${mark}`];
    });
    const encoded = this.#encoded.exec(text)?.[0];
    return [...new Set(encoded === undefined ? plain : [...plain, `an encoded mark ${encoded}`])];
  }
}

/** Letters only, since runs of digits could be taken for codes. */
function randomTag(): string {
  return `q${Array.from({ length: TAG_LETTERS }, () => String.fromCharCode(0x61 + randomInt(ALPHABET))).join("")}`;
}

/** The base64 of a text that begins at this byte of a group of three, without the characters shared with neighbours. */
function base64Of(text: string, offset: number): string {
  const encoded = Buffer.from(`${"\0".repeat(offset)}${text}`).toString("base64");
  const end = Math.floor(((offset + text.length) * BITS.byte) / BITS.base64);
  return encoded.slice(Math.ceil((offset * BITS.byte) / BITS.base64), end);
}
