import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PARTS, testsOf } from "../../../scripts/test-parts.mjs";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

it.each(Object.keys(PARTS))("`npm test -- %s` finds tests, and tests/README.md names it", (part) => {
  const { vitest, playwright } = testsOf(part);
  expect(vitest.length + playwright.length).toBeGreaterThan(0);
  expect(README).toMatch(new RegExp(`\`(npm test -- )?${part}\``));
});

it("the fast part has nothing that starts a program or opens a database", () => {
  const slow = testsOf("fast").vitest.filter((file) =>
    /from "(node:child_process|(\.\.\/)+(portal|portal-process|operator-command|database))"/.test(
      readFileSync(file, "utf8"),
    ),
  );
  expect(slow).toEqual([]);
});
