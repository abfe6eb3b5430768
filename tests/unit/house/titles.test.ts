import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

const TESTS = new URL("../../", import.meta.url);
const LONGEST = 100;
/** Rows stand before a title: `[S21, S22] `. */
const ROWS = /^\[[^\]]*\] ?/;

/** The titles of a file's tests and groups, without their rows. */
function titlesIn(path: string): readonly string[] {
  const text = readFileSync(new URL(path, TESTS), "utf8");
  if (!/\b(it|test|describe)\b/.test(text)) return [];
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      node.arguments.length > 1 &&
      /^(it|test|describe)$/.test(calledBy(node))
    ) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push(title.getText().slice(1, -1).replace(ROWS, ""));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return titles;
}

/** `it` of `it.each(…)(…)`, of `it.skipIf(…)(…)`, and of `it(…)`. */
function calledBy({ expression }: ts.CallExpression): string {
  let called: ts.Expression = expression;
  while (!ts.isIdentifier(called)) {
    if (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) called = called.expression;
    else if (ts.isTaggedTemplateExpression(called)) called = called.tag;
    else return "";
  }
  return called.text;
}

test(`a title has at most ${LONGEST} characters: it is read in a list`, () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  const titles = files.flatMap((path) => titlesIn(path).map((title) => ({ path, title })));
  expect(titles.length).toBeGreaterThan(1000);
  expect(titles.filter(({ title }) => title.length > LONGEST)).toEqual([]);
});
