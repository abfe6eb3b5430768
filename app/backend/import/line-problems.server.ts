import { z } from "zod";
import { WITHOUT_END } from "~/contract/customer-area.server";

/** A value, or what is wrong with it. */
export type Found<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** The maximum of problems that are reported for a line. */
const MOST_PROBLEMS = 10;
/** The form of a field's name. A key of another form is never quoted: it may be personal data. */
const FIELD = /^\w{1,40}$/;

/** Reads an object in which optional fields that are null or empty count as missing: programs export them so. */
export function withoutEmpty<Schema extends z.ZodType>(optional: readonly string[], schema: Schema) {
  return z.preprocess((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const isMissing = ([field, content]: readonly [string, unknown]) =>
      optional.includes(field) &&
      (content === null || (typeof content === "string" && content.trim() === ""));
    return Object.fromEntries(Object.entries(value).filter((entry) => !isMissing(entry)));
  }, schema);
}

/** The first problem of every wrong field, so that one run is enough to correct a file. */
export function problemsOf(issues: readonly z.core.$ZodIssue[]): string {
  const problems = new Map<string, string>();
  for (const issue of issues) {
    const where = issue.path.join(".");
    if (!problems.has(where)) problems.set(where, `${where === "" ? "" : `${where}: `}${problemOf(issue)}`);
  }
  const listed = [...problems.values()].slice(0, MOST_PROBLEMS);
  return [...listed, ...(problems.size > MOST_PROBLEMS ? ["and more"] : [])].join("; ");
}

function problemOf(issue: z.core.$ZodIssue): string {
  const field = issue.code === "unrecognized_keys" ? issue.keys.find((key) => FIELD.test(key)) : undefined;
  return field === undefined ? `expected ${issue.message}` : `unknown field ${field}`;
}

/** The name of a field for a problem's text. An odd name isn't quoted, because it may be personal data. */
export function fieldNamed(key: string): string {
  return FIELD.test(key) ? key : "a field";
}

/** The warnings of an import. Each text follows the place in the line, and quotes nothing from it. */
export const WARNINGS = {
  emailLeftOut: "left out: expected an address that e-mails can be sent to, of at most 254 characters",
  premiumLeftOut: "left out",
  outsideOfPrefixes: "a number outside of SMS_PREFIXES, which gets no text messages",
  notNineDigits: "a Polish number without nine digits, which gets no text messages",
  specialRate: "a special-rate number, which gets no text messages",
  notMobile: "a landline, or another number that hardly ever gets text messages",
  peselCheckDigit: "a PESEL with a wrong check digit",
  nipCheckDigit: "a NIP with a wrong check digit",
  oddValidity: `a day before 1950 or after 2150; cover without an end ends on ${WITHOUT_END}`,
  futureDocument: "a day in the future",
  titleWithoutCode: "a letter that banks can't carry, so the payment page shows no QR code",
} as const;

export type WarningKind = keyof typeof WARNINGS;

/** Something wrong with a line that is written nevertheless. */
export interface Warning {
  readonly kind: WarningKind;
  /** The field. */
  readonly where: string;
  /** The faults in it, if it has several fields. Quotes nothing from them. */
  readonly faults?: string;
}

/** A warning for the operator: the field and what is wrong with it. */
export function warningText({ kind, where, faults }: Warning): string {
  return `${where}: ${WARNINGS[kind]}${faults === undefined ? "" : `: ${faults}`}`;
}

/**
 * The first key that an object in this JSON has twice, at any depth; undefined if there is none. `JSON.parse` keeps the
 * last of both and says nothing, so that one of two policy numbers would be lost.
 * @param json must be valid
 */
export function repeatedKey(json: string): string | undefined {
  /** The keys so far of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(undefined);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = endOfString(json, at);
      const keys = open.at(-1);
      if (keys !== undefined && isBeforeColon(json, end)) {
        const key = textOf(json.slice(at, end));
        if (keys.has(key)) return key;
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Where the string ends that begins at this place, its quote included. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** A string before a colon is a key: no value is. */
function isBeforeColon(json: string, end: number): boolean {
  let at = end;
  while (" \t\r\n".includes(json[at] ?? ":")) at += 1;
  return json[at] === ":";
}

/** The same key can be spelled with escapes. */
function textOf(string: string): string {
  return string.includes("\\") ? (JSON.parse(string) as string) : string.slice(1, -1);
}
