import { zonedTimeInPoland } from "~/platform/time.server";

/**
 * Facts for people: `name: value` on a line each, with lists and groups indented under their name, and times in Poland.
 * What is missing or empty is `none`.
 */
export function factLines(facts: object): readonly string[] {
  return Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
    const lines = isGroup(value) ? factLines(value) : [];
    if (Array.isArray(facts)) return indented(lines.length > 0 ? lines : [inWords(value)], "- ");
    return lines.length > 0 ? [`${name}:`, ...indented(lines)] : [`${name}: ${inWords(value)}`];
  });
}

function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}

function indented(lines: readonly string[], first = "  "): readonly string[] {
  return lines.map((line, nth) => (nth === 0 ? first : "  ") + line);
}

function inWords(value: unknown): string {
  if (value instanceof Date) return zonedTimeInPoland(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : "none";
}
