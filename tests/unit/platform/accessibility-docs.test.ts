import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, ROOT)), "utf8");

/** A row is a list item, `- **C-01** …`, with the indented lines below it. */
const ROWS = [...read("docs/accessibility.md").matchAll(/^- \*\*(C-\d+)\*\* .*(?:\n {2}.*)*/gm)].map(
  ([item, row]) => ({
    row: row ?? "",
    proofs: [...item.matchAll(/`((?:browsers|e2e|unit)\/[\w./-]+)`/g)].map(([, path]) => path ?? ""),
  }),
);

const between = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => `C-${String(first + at).padStart(2, "0")}`);

describe("docs/accessibility.md", () => {
  it("has every rule exactly once", () => {
    expect(ROWS.map(({ row }) => row)).toEqual([...between(1, 21), ...between(30, 40), ...between(50, 55)]);
  });

  it.each(ROWS)("$row is tagged in the tests it names", ({ row, proofs }) => {
    expect(proofs).not.toEqual([]);
    for (const path of proofs)
      expect(read(`tests/${path}`), path).toMatch(new RegExp(`\\[[^\\]]*${row}\\b[^\\]]*\\]`));
  });
});
