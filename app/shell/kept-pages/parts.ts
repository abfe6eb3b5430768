import { SLOT_NAMES, type Slots } from "~/front-door/slots.server";

/** A part of a page that is the same in every answer, or the name of the slot between two such parts. */
export type Part = Buffer | keyof Slots;

/** Needs no escaping in HTML, in an attribute or in a script's string; one byte per character. */
const HARMLESS = /^[\w .,:+/=-]*$/;

/** Whether values can be put into a page without escaping. */
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
