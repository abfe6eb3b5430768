import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

interface Source {
  readonly path: string;
  /** The file on one line, without the stars of comments, since a reference may wrap. */
  readonly text: string;
}

const SOURCES: readonly Source[] = ["app", "tests", "tools"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(tsx?|mjs|css)$/.test(path) && !path.startsWith(join("unit", "docs")))
    .map((path) => join(folder, path))
    .map((path) => ({ path, text: read(path).replace(/\n\s*(?:\*|\/\/)?\s*/g, " ") })),
);

const SPECIFICATION = read("docs/specification.md");
const SECTIONS = new Map(
  SPECIFICATION.split(/^## (?=§)/m)
    .slice(1)
    .map((section) => [/^§(\d)/.exec(section)?.[1] ?? "", section]),
);
const SCREENS = read("docs/screens.md");
const BACKEND_CONTRACT = read("docs/backend-contract.md");
const C_ROWS = rowsOf("docs/accessibility.md", /^- \*\*(C-\d+)\*\*/gm);
const F_ROWS = rowsOf("docs/face.md", /^- \*\*(F\d+)\*\*/gm);
const S_ROWS = rowsOf("docs/security.md", /^- \*\*(S\d+)\*\*/gm);

function rowsOf(page: string, row: RegExp): ReadonlySet<string> {
  return new Set([...read(page).matchAll(row)].map(([, name]) => name ?? ""));
}

/** Whether a section has a row or heading that begins with this name. */
function hasRow(section: string | undefined, name: string): boolean {
  if (section === undefined) return false;
  const begins = `${name.replace(/[^\w\s-]/g, "")}(?![\\w-])`;
  return new RegExp(`^ *- \\*\\*${begins}|^§\\d ${begins}|^### ${begins}`, "mi").test(section);
}

type Reference = readonly [what: string, pattern: RegExp, resolves: (...parts: string[]) => boolean];

const REFERENCES: readonly Reference[] = [
  // Dotted numbers belong to RFCs.
  ["specification §N", /§(\d+)(?!\.?\d)/g, (section = "") => SECTIONS.has(section)],
  [
    'a row of the specification: §4, Login; §2 "Layout"; §2 MFA',
    /§(\d),? "?([A-Z][\w-]+(?: [a-z]+)*)/g,
    (section = "", name = "") => hasRow(SECTIONS.get(section), name),
  ],
  ["a code: §8 007", /§8 (\d{3})\b/g, (code = "") => SECTIONS.get("8")?.includes(code) ?? false],
  [
    'a heading of docs/screens.md: form contract, "Answers"',
    /form contract,? "([^"]+)"/g,
    (heading = "") => SCREENS.includes(`\n## ${heading}\n`),
  ],
  [
    'a row of docs/backend-contract.md: backend contract, 106 or "Cross-site writes"',
    /ackend contract, "?(\d{3}\b|(?<=")[^"]+)/g,
    (row = "") => BACKEND_CONTRACT.includes(`- **${row}`),
  ],
  ["a row of docs/accessibility.md: C-09", /\b(C-\d+)\b/g, (row = "") => C_ROWS.has(row)],
  ["a row of docs/face.md: F4", /\b(F\d{1,2})\b(?=[\],)])/g, (row = "") => F_ROWS.has(row)],
  // RFC 7636 has an S256 of its own.
  ["a row of docs/security.md: S21", /\b(S(?!256)\d{1,3})\b/g, (row = "") => S_ROWS.has(row)],
];

it.each(REFERENCES)("every reference in app/ and tests/ leads to %s", (_what, pattern, resolves) => {
  const references = SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([whole, ...parts]) => ({ path, whole, parts })),
  );
  expect(references.length).toBeGreaterThan(0);
  const missing = references.filter(({ parts }) => !resolves(...parts));
  expect(missing.map(({ path, whole }) => `${path}: ${whole}`)).toEqual([]);
});
