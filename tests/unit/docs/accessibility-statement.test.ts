import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { STATEMENT } from "~/journeys/accessibility/accessibility";
import { polish } from "~/i18n/all-texts.server";

const page = readFileSync("docs/accessibility.md", "utf8");

function itemsOf(heading: string): number {
  const section = page.split("\n## ").find((each) => each.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^- /gm)].length;
}

it("the accessibility statement tells everything that accessibility.md does, as of the same day", () => {
  expect(STATEMENT.unchecked).toHaveLength(itemsOf("By hand, not done yet"));
  expect(STATEMENT.deviations).toHaveLength(itemsOf("Deviations, on purpose"));
  expect(page).toContain(`Compared with the statement on ${STATEMENT.checkedOn}.`);
});

it("each text of the statement is shown", () => {
  const { header, checked, ...items } = polish.accessibility.missing;
  expect([header, checked].every(Boolean)).toBe(true);
  expect(Object.keys(items)).toEqual([...STATEMENT.unchecked, ...STATEMENT.deviations]);
});
