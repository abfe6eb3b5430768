import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LAST_MIGRATION_BEFORE, RELEASE_BEFORE } from "~/backend/store/release-before.server";
import { inRepository } from "./repository";

const PAGE = "docs/decisions/releases.md";
const MARK = /@for-release (\d{4}-\d{2}-\d{2}-[\da-f]{12})/g;

const read = (path: string) => readFileSync(inRepository(path), "utf8");

/** Each mark in the code: its file, and the release that the code is for. */
const MARKS = ["app", "deploy", "scripts"].flatMap((folder) =>
  readdirSync(inRepository(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(inRepository("").length))
    .flatMap((path) => [...read(path).matchAll(MARK)].map(([, release = ""]) => ({ path, release }))),
);

/** The release before: the newest of the changelog that has a name. */
const [, name = "", about = ""] = /^## (\d{4}\S+): ([^]*?)^## /m.exec(read("CHANGELOG.md")) ?? [];

test("the release before is the newest with a name in the changelog, and so is its newest migration", () => {
  expect(RELEASE_BEFORE).toBe(name);
  const [, migrations = ""] = /^Migrations?: ([^,]*)/m.exec(about) ?? [];
  expect(LAST_MIGRATION_BEFORE.slice(0, 4)).toBe(migrations.match(/\d{4}/g)?.at(-1));
});

test("code for a release that is no longer the one before is gone", () => {
  expect(MARKS.length).toBeGreaterThan(0);
  expect(MARKS.filter(({ release }) => release !== RELEASE_BEFORE)).toEqual([]);
});

test(`${PAGE} lists all code that is there for the release before`, () => {
  const rows = [...read(PAGE).matchAll(/^\| `(\S+)` +\| (\d+) /gm)].map(
    ([, path, marks]) => `${path}: ${marks}`,
  );
  const paths = [...new Set(MARKS.map(({ path }) => path))];
  const marked = paths.map((path) => `${path}: ${MARKS.filter((mark) => mark.path === path).length}`);
  expect(rows.toSorted()).toEqual(marked.toSorted());
});
