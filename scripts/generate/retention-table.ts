import { REGISTRY } from "../../app/backend/store/registry.server";
import type { Registered } from "../../app/backend/store/registry-entry.server";
import { readEnvironment } from "../../app/platform/config/environment.server";
import { LIMITS, type SettableLimit } from "../../app/platform/config/limits";

const TABLE = /(<!-- table of the registry -->\n)[^]*?(<!-- end of table -->)/;

/**
 * Fills in the table of docs/operations/retention.md from the registry and the limits. `npm run configuration-docs` runs
 * it.
 * @throws Error when the page has no place for the table
 */
export function fillRetentionTable(page: string): string {
  if (!TABLE.test(page)) throw new Error("the page has no place for the table");
  const rows = Object.entries<Registered>(REGISTRY).map(([table, entry]) => [
    `\`${table}\``,
    WHOSE[entry.of],
    [entry.kept(LIMITS), ...(entry.remark ? [entry.remark(LIMITS)] : [])].join("; "),
    (entry.setBy ?? []).map((name) => `\`${name}\` (${valueOf(name)})`).join(", "),
    erasureInWords(entry.erasure),
  ]);
  const lines = [
    ["table", "whose", "kept", "set by", "`portal erase`"],
    Array<string>(5).fill("---"),
    ...rows,
  ];
  return page.replace(TABLE, (_, begin: string, end: string) =>
    [begin, ...lines.map((cells) => `| ${cells.join(" | ")} |`), "", end].join("\n"),
  );
}

const WHOSE: Readonly<Record<Registered["of"], string>> = {
  customer: "a customer's",
  account: "an account's",
  details: "whose details were typed",
  "no person": "nothing personal",
};

function valueOf(name: SettableLimit | "AUDIT_KEEP_MONTHS"): number {
  if (name !== "AUDIT_KEEP_MONTHS") return LIMITS[name];
  const reading = readEnvironment({});
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  return reading.environment.AUDIT_KEEP_MONTHS;
}

function erasureInWords(erasure: Registered["erasure"]): string {
  if (erasure === "deletes") return "deletes them";
  if (erasure === "deletes unless insured") return "deletes them, unless a policy is in force";
  if ("goesWith" in erasure) return `deletes them with \`${erasure.goesWith}\``;
  if ("keeps" in erasure) return `keeps them: ${erasure.keeps}`;
  return `empties what is about the person: ${erasure.because}`;
}
