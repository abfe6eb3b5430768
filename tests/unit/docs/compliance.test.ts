import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(path, "utf8");
const page = read("docs/compliance.md");
const rowsIn = (path: string) =>
  new Set(Array.from(read(path).matchAll(/\*\*([SC]-?\d+)\*\*/g), ([, row]) => row));
const known = new Set([...rowsIn("docs/security.md"), ...rowsIn("docs/accessibility.md")]);

it("each row of security.md and accessibility.md that compliance.md names is there", () => {
  const named = [...page.matchAll(/\b(S\d+|C-\d+)\b/g)].map(([row]) => row);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((row) => !known.has(row))).toEqual([]);
});

it("each page that compliance.md links to is there", () => {
  const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, path = ""]) =>
    join(dirname("docs/compliance.md"), path),
  );
  expect(links.filter((path) => !existsSync(path))).toEqual([]);
});

it("compliance.md says on which day it was checked", () => {
  expect(page).toMatch(/checked on \d{4}-\d\d-\d\d/);
});
