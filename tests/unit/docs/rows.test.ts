import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, ROOT)), "utf8");

const between = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** A row is a list item, `- **S1** …`, with the indented lines below it. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^- \*\*([SF]\d+|C-\d+)\*\* .*(?:\n {2}.*)*/gm)].map(([item, row = ""]) => ({
    row,
    proofs: [
      ...item.matchAll(
        /`((?:release\/)?(?:attack|browsers|contract|e2e|serving|text-browser|topology|unit)\/[\w./-]+)`/g,
      ),
    ].map(([, path = ""]) => path),
  }));

describe.each([
  ["docs/security.md", between(1, 164)],
  ["docs/accessibility.md", [...between(1, 21), ...between(30, 40), ...between(50, 55)]],
  ["docs/face.md", [...between(1, 22), ...between(24, 34), ...between(36, 68)]],
])("%s", (page, numbers) => {
  const rows = rowsOf(read(page));

  it("has every row exactly once", () => {
    const found = rows.map(({ row }) => Number(row.replace(/\D/g, "")));
    expect(found.toSorted((one, other) => one - other)).toEqual(numbers);
  });

  it.each(rows.filter(({ proofs }) => proofs.length > 0))(
    "$row is tagged in the tests it names",
    ({ row, proofs }) => {
      for (const path of proofs)
        expect(read(`tests/${path}`), path).toMatch(new RegExp(`\\[[^\\]]*\\b${row}\\b[^\\]]*\\]`));
    },
  );
});

it("the first proof of each row of security.md runs at every landing, not only before a release", () => {
  const atLanding = (path: string) =>
    read(`tests/${path}`).replace(/\.(runIf|skipIf)\(!?(IS|WITH)_RELEASE[^"`]*["`][^"`]*["`]/g, "");
  const withoutOne = rowsOf(read("docs/security.md")).filter(
    ({ row, proofs }) =>
      proofs.length > 0 &&
      !proofs.some(
        (path) =>
          !path.startsWith("release/") &&
          new RegExp(`\\[[^\\]]*\\b${row}\\b[^\\]]*\\]`).test(atLanding(path)),
      ),
  );
  expect(withoutOne).toEqual([]);
});

it("security.md names a proof for each row it calls proven, and for no other", () => {
  const page = read("docs/security.md");
  const proven = page.split("\n## ").find((section) => section.startsWith("Kept, and proven\n")) ?? "";
  expect(rowsOf(proven)).not.toEqual([]);
  expect(rowsOf(page).filter(({ proofs }) => proofs.length > 0)).toEqual(rowsOf(proven));
});

it("accessibility.md names a proof for each row", () => {
  expect(rowsOf(read("docs/accessibility.md")).filter(({ proofs }) => proofs.length === 0)).toEqual([]);
});

it("face.md: each row is tagged in a test, named or not", () => {
  const tests = readdirSync(fileURLToPath(new URL("tests", ROOT)), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(test|spec)\.tsx?$/.test(path))
    .map((path) => read(`tests/${path}`))
    .join("\n");
  const isTagged = (row: string) => new RegExp(`\\[[^\\]\\n]*\\b${row}\\b[^\\]\\n]*\\]`).test(tests);
  const rows = rowsOf(read("docs/face.md")).map(({ row }) => row);
  expect(rows.filter((row) => !isTagged(row))).toEqual([]);
});
