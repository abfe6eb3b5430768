import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

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

/** Matches of `pattern` that don't resolve, each with its file; `found` catches patterns that match nothing. */
function unresolved(pattern: RegExp, resolves: (...parts: string[]) => boolean) {
  const references = SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([whole, ...parts]) => ({ path, whole, parts })),
  );
  return {
    found: references.length,
    missing: references
      .filter(({ parts }) => !resolves(...parts))
      .map(({ path, whole }) => `${path}: ${whole}`),
  };
}

/** Whether a section has a row or heading that begins with this name. */
function hasRow(section: string | undefined, name: string): boolean {
  if (section === undefined) return false;
  const begins = `${name.replace(/[^\w\s-]/g, "")}(?![\\w-])`;
  return new RegExp(`^ *- \\*\\*${begins}|^§\\d ${begins}|^### ${begins}`, "mi").test(section);
}

describe("every reference in app/ and tests/ leads to a row in docs/", () => {
  it("specification §N, and §N in test titles (dotted numbers belong to RFCs)", () => {
    const { found, missing } = unresolved(/§(\d+)(?!\.?\d)/g, (section = "") => SECTIONS.has(section));
    expect(missing).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });

  it('specification §4, Login: a row of that name; also §2 "Layout" and §2 MFA', () => {
    const { found, missing } = unresolved(/§(\d),? "?([A-Z][\w-]+(?: [a-z]+)*)/g, (section = "", name = "") =>
      hasRow(SECTIONS.get(section), name),
    );
    expect(missing).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });

  it("§8 007: a code of the catalogue", () => {
    const { found, missing } = unresolved(
      /§8 (\d{3})\b/g,
      (code = "") => SECTIONS.get("8")?.includes(code) ?? false,
    );
    expect(missing).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });

  it('form contract, "Answers": a heading of docs/screens.md', () => {
    const { found, missing } = unresolved(/form contract,? "([^"]+)"/g, (heading = "") =>
      SCREENS.includes(`\n## ${heading}\n`),
    );
    expect(missing).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });

  it('backend contract, 106 or "Cross-site writes": a row of docs/backend-contract.md', () => {
    const { found, missing } = unresolved(/ackend contract, "?(\d{3}\b|(?<=")[^"]+)/g, (row = "") =>
      BACKEND_CONTRACT.includes(`- **${row}`),
    );
    expect(missing).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });

  it("C-09: a row of docs/accessibility.md", () => {
    const { found, missing } = unresolved(/\b(C-\d+)\b/g, (row = "") => C_ROWS.has(row));
    expect(missing).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });

  it("F4: a row of docs/face.md", () => {
    const { found, missing } = unresolved(/\b(F\d{1,2})\b(?=[\],)])/g, (row = "") => F_ROWS.has(row));
    expect(missing).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });

  it("S21: a row of docs/security.md", () => {
    // RFC 7636 has an S256 of its own.
    const { found, missing } = unresolved(/\b(S(?!256)\d{1,3})\b/g, (row = "") => S_ROWS.has(row));
    expect(missing).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });
});
