import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, ROOT)), "utf8");

const ROWS = [...read("docs/security.md").matchAll(/^\| (S\d+) +\|.*$/gm)].map(([line, row]) => ({
  row: row ?? "",
  proofs: [...line.matchAll(/`((?:attack|contract|e2e|topology|unit)\/[\w./-]+)`/g)].map(
    ([, path]) => path ?? "",
  ),
}));
const LAST_ROW = 117;

describe("docs/security.md", () => {
  it("has every row of the list in one of its tables", () => {
    const rows = ROWS.map(({ row }) => row).toSorted();
    const all = Array.from({ length: LAST_ROW }, (_, at) => `S${at + 1}`).toSorted();
    expect(rows).toEqual(all);
  });

  it.each(ROWS.filter(({ proofs }) => proofs.length > 0))(
    "$row is proven by the tests that it names",
    ({ row, proofs }) => {
      for (const path of proofs)
        expect(read(`tests/${path}`), path).toMatch(new RegExp(`\\[[^\\]]*\\b${row}\\b[^\\]]*\\]`));
    },
  );
});
