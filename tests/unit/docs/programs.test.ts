import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROGRAMS } from "../../../scripts/prepare/programs.mjs";

const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "README.md"), "utf8");

it.each(Object.values(PROGRAMS))("tests/README.md lists the packages of: $what", ({ what, packages }) => {
  const row = new RegExp(`^\\| ${what} +\\| ([^|]*?) +\\|$`, "m").exec(PAGE);
  expect(row?.[1]?.split(", ").toSorted()).toEqual(Object.values(packages).toSorted());
});
