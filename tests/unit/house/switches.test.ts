import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository, ownFiles } from "./repository";

/** `@ts-expect-error` with a reason may stay: it is an error itself once it isn't needed. */
const SWITCH = /(oxlint|eslint)-(disable|enable)|@ts-(ignore|nocheck)|(oxfmt|prettier)-ignore/;
const MAY_NAME_THEM = [".oxlintrc.json", "tests/unit/house/switches.test.ts"];

test("no comment switches a rule, a type or the format off", () => {
  const naming = ownFiles(/\.([cm]?[jt]sx?|json|md|css|ya?ml)$/).filter((path) =>
    SWITCH.test(readFileSync(inRepository(path), "utf8")),
  );
  expect(naming.filter((path) => !MAY_NAME_THEM.includes(path))).toEqual([]);
});
