import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VARIABLE_GROUPS } from "~/platform/config/environment.server";
import { SETTABLE_LIMITS } from "~/platform/config/limits";
import { MIGRATION_NAMES } from "~/backend/store/migrations/run.server";
import { PREVIOUS_RELEASE_MIGRATION, PREVIOUS_RELEASE } from "~/backend/store/previous-release.server";
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

/** The previous release: the newest of the changelog that has a name. */
const [, name = "", about = ""] = /^## (\d{4}\S+): ([^]*?)^## /m.exec(read("CHANGELOG.md")) ?? [];

test("the previous release is the newest with a name in the changelog, and so is its newest migration", () => {
  expect(PREVIOUS_RELEASE).toBe(name);
  const [, migrations = ""] = /^Migrations?: ([^,]*)/m.exec(about) ?? [];
  expect(PREVIOUS_RELEASE_MIGRATION.slice(0, 4)).toBe(migrations.match(/\d{4}/g)?.at(-1));
});

test("code for a release that is no longer the previous one is gone", () => {
  expect(MARKS.length).toBeGreaterThan(0);
  expect(MARKS.filter(({ release }) => release !== PREVIOUS_RELEASE)).toEqual([]);
});

test(`${PAGE} lists all code that is there for the previous release`, () => {
  const rows = [...read(PAGE).matchAll(/^\| `(\S+)` +\| (\d+) /gm)].map(
    ([, path, marks]) => `${path}: ${marks}`,
  );
  const paths = [...new Set(MARKS.map(({ path }) => path))];
  const marked = paths.map((path) => `${path}: ${MARKS.filter((mark) => mark.path === path).length}`);
  expect(rows.toSorted()).toEqual(marked.toSorted());
});

const [, present = ""] = /^## This release: [^\n]*\n([^]*?)^## /m.exec(read("CHANGELOG.md")) ?? [];

test("the notes of this release name its first and its last migration", () => {
  const added = MIGRATION_NAMES.filter((migration) => migration > PREVIOUS_RELEASE_MIGRATION);
  const [, line = ""] = /^Migrations: ([^.]*)\./m.exec(present) ?? [];
  const named = line.match(/\d{4}/g) ?? [];
  expect([named[0], named.at(-1)]).toEqual(
    [added[0], added.at(-1)].map((migration) => migration?.slice(0, 4)),
  );
});

test("the notes of this release name each variable that is new or gone", () => {
  const [about = "", ...before] = read("tests/unit/house/variables-before.txt").trim().split("\n");
  expect(about).toContain(PREVIOUS_RELEASE);
  const now = [
    ...Object.values(VARIABLE_GROUPS).flatMap((group) => Object.keys(group)),
    ...SETTABLE_LIMITS.map((limit) => `LIMIT_${limit}`),
  ];
  // systemd and sudo set these.
  const others = new Set(["NOTIFY_SOCKET", "WATCHDOG_USEC", "SUDO_USER", ...before]);
  const changed = [...now.filter((one) => !others.has(one)), ...before.filter((one) => !now.includes(one))];
  expect(before.length).toBeGreaterThan(100);
  expect(changed.filter((one) => !present.includes(`\`${one}\``))).toEqual([]);
});

test("the notes of this release begin with what an operator has to do", () => {
  expect(present.trimStart()).toMatch(/^\*\*Do this\*\*[^\n]*\n(?:[^\n]+\n)*\n1\. /);
});
