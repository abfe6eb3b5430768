import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FAST, testsOf } from "../../../scripts/test-parts.mjs";

const TESTS = new URL("../../", import.meta.url);
const README = readFileSync(new URL("README.md", TESTS), "utf8");
const FOLDERS = readdirSync(TESTS, { withFileTypes: true }).filter((entry) => entry.isDirectory());

it.each(FOLDERS.map(({ name }) => name))("tests/README.md says what the folder %s proves", (folder) => {
  expect(README).toMatch(new RegExp(`^\\| \`${folder}\` `, "m"));
});

it("a part is a folder or a file below tests, and holds the tests of both runners", () => {
  expect(testsOf("browsers")?.vitest).toContain("tests/browsers/scripts.test.ts");
  expect(testsOf("browsers")?.playwright).toContain("tests/browsers/journeys.spec.ts");
  expect(testsOf("tests/unit/house/test-parts.test.ts")?.vitest).toEqual([
    "tests/unit/house/test-parts.test.ts",
  ]);
  expect(testsOf("no-such-folder")).toBeUndefined();
});

it("the fast part has nothing that starts a program or opens a database", () => {
  const slow = testsOf(FAST)?.vitest.filter((file) =>
    /from "(node:child_process|(\.\.\/)+(portal|portal-process|operator-command|database))"/.test(
      readFileSync(file, "utf8"),
    ),
  );
  expect(slow).toEqual([]);
});

it("only the run before a release has the tests of tests/release: no other test needs one of its files", () => {
  const outside = readdirSync(TESTS, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.(test|spec)\.tsx?$/.test(file) && !file.startsWith("release/"),
  );
  const needing = outside.filter((file) =>
    /from "(\.\.?\/)+release\//.test(readFileSync(new URL(file, TESTS), "utf8")),
  );
  expect(needing).toEqual([]);
});
