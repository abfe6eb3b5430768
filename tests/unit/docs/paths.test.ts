import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));

const PAGES = ["README.md", ...filesIn("docs").filter((path) => path.endsWith(".md"))].map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), "utf8"),
}));

const TOP = ["app", "deploy", "docs", "locales", "public", "scripts", "tests", "tools"];
const ROOMS = readdirSync(join(ROOT, "app")).filter((name) => !name.includes("."));
const NAMES = new Set([...readdirSync(ROOT), ...TOP.flatMap(filesIn)].map((path) => basename(path)));

/** Matches texts that look like our paths: they begin with one of our folders, or name a code file. */
const PATH = new RegExp(
  `^(?:(?:${[...TOP, ...ROOMS].join("|")})/[\\w@./-]*|[\\w@./-]+\\.(?:[cm]?[jt]sx?|server))$`,
);

/** Operators make these; they aren't in the repository. */
const MADE_BY_OPERATORS = new Set(["deploy/secrets", "deploy/.env"]);

/** A path is relative to the repository root, `app` or `tests`; a bare name may be any file. */
function isThere(path: string): boolean {
  if (MADE_BY_OPERATORS.has(path)) return true;
  if (!path.includes("/")) return NAMES.has(path);
  return ["", "app", "tests"].some((from) => existsSync(join(ROOT, from, path)));
}

describe("the docs name only what exists", () => {
  const named = PAGES.flatMap(({ path: page, text }) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, path = ""]) => ({ page, path }))
      .filter(({ path }) => PATH.test(path)),
  );

  it("each path in backticks exists", () => {
    expect(named.filter(({ path }) => !isThere(path)).map(({ page, path }) => `${page}: ${path}`)).toEqual(
      [],
    );
    expect(named.length).toBeGreaterThan(100);
  });

  const links = PAGES.flatMap(({ path: page, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => ({ page, target: target.replace(/#.*/, "") }))
      .filter(({ target }) => target !== "" && !target.includes(":")),
  );

  it("each link to a file works", () => {
    expect(
      links
        .filter(({ page, target }) => !existsSync(join(ROOT, dirname(page), target)))
        .map(({ page, target }) => `${page}: ${target}`),
    ).toEqual([]);
    expect(links.length).toBeGreaterThan(20);
  });
});
