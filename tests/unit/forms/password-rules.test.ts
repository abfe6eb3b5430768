import { expect, it } from "vitest";
import { SPECIAL_CHARACTERS } from "~/contract/rules";
import { PASSWORD_RULES } from "~/contract/rules/field-rules";

it("password generators get all conditions, each special character once, hyphen first, bracket last", () => {
  const set =
    /^minlength: 12; maxlength: 50; required: upper; required: digit; required: \[(.+)\]; allowed: lower;$/s;
  const characters = set.exec(PASSWORD_RULES)?.[1] ?? "";
  expect(Array.from(characters).toSorted()).toEqual(Array.from(SPECIAL_CHARACTERS).toSorted());
  expect(characters).toMatch(/^-.*\]$/);
});
