import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, ROOT)), "utf8");

const PAGE = read("docs/security.md");
/** A row is a list item, `- **S1** …`, with the indented lines below it. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^- \*\*(S\d+)\*\* .*(?:\n {2}.*)*/gm)].map(([item, row]) => ({
    row: row ?? "",
    proofs: [...item.matchAll(/`((?:attack|contract|e2e|serving|topology|unit)\/[\w./-]+)`/g)].map(
      ([, path]) => path ?? "",
    ),
  }));

const ROWS = rowsOf(PAGE);
const PROVEN = rowsOf(PAGE.split("\n## ").find((section) => section.startsWith("Kept, and proven\n")) ?? "");
const LAST_ROW = 134;

describe("docs/security.md", () => {
  it("has every row exactly once", () => {
    const rows = ROWS.map(({ row }) => row).toSorted();
    const all = Array.from({ length: LAST_ROW }, (_, at) => `S${at + 1}`).toSorted();
    expect(rows).toEqual(all);
  });

  it("names a proof for each row it calls proven, and for no other row", () => {
    expect(PROVEN).not.toEqual([]);
    expect(ROWS.filter(({ proofs }) => proofs.length > 0)).toEqual(PROVEN);
  });

  it.each(PROVEN)("$row is tagged in the tests it names", ({ row, proofs }) => {
    for (const path of proofs)
      expect(read(`tests/${path}`), path).toMatch(new RegExp(`\\[[^\\]]*\\b${row}\\b[^\\]]*\\]`));
  });
});
