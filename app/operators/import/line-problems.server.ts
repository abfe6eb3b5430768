import { z } from "zod";

/** A value, or what is wrong with it. */
export type Found<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** A refused line says no more than this. */
const MOST_PROBLEMS = 10;
/** A field's name, and hardly ever a person's. */
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

/** Every field that is wrong, so that one run is enough to correct a file. Only the first problem of each. */
export function problemsOf(issues: readonly z.core.$ZodIssue[]): string {
  const problems = new Map<string, string>();
  for (const issue of issues) {
    const where = issue.path.join(".");
    if (!problems.has(where)) problems.set(where, `${where === "" ? "" : `${where}: `}${problemOf(issue)}`);
  }
  const told = [...problems.values()].slice(0, MOST_PROBLEMS);
  return [...told, ...(problems.size > MOST_PROBLEMS ? ["and more"] : [])].join("; ");
}

function problemOf(issue: z.core.$ZodIssue): string {
  const field = issue.code === "unrecognized_keys" ? issue.keys.find((key) => FIELD.test(key)) : undefined;
  return field === undefined ? `expected ${issue.message}` : `unknown field ${field}`;
}

/** The name of a field as a problem says it: an odd one may be personal data. */
export function fieldNamed(key: string): string {
  return FIELD.test(key) ? key : "a field";
}
