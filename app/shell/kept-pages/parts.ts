import { SLOT_NAMES, type Slots } from "~/front-door/slots.server";

/** A stretch of a page that is the same in every answer, or the value that stands between two of them. */
export type Part = Buffer | keyof Slots;

/** Plain in HTML, in an attribute and in a script's string, and one byte a character. */
const HARMLESS = /^[\w .,:+/=-]*$/;

/** Whether values can stand in a page as they are. */
export function areHarmless(values: Slots): boolean {
  return SLOT_NAMES.every((name) => HARMLESS.test(values[name]));
}

/** Cuts a page at its marks. */
export function splitAtMarks(html: string, marks: Slots): readonly Part[] {
  const names = new Map(SLOT_NAMES.map((name) => [marks[name], name]));
  return html
    .split(new RegExp(`(${[...names.keys()].join("|")})`))
    .map((piece) => names.get(piece) ?? Buffer.from(piece));
}

/** The page with these values between its parts. */
export function fillParts(parts: readonly Part[], values: Slots): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(values[part]) : part)));
}
