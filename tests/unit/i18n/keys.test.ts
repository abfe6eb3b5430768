import { describe, expect, it } from "vitest";
import { MESSAGES, type RuleName } from "~/contract/rules/field-rules";
import { returnedKeys, COMPOSED, composedKeys } from "./composed-keys";
import { ENGLISH_TEXTS, FILES, KEYS, NAMED_KEYS, SOURCES, TEMPLATES, TEXTS } from "./every-text";

const composed = composedKeys();

describe("the texts of locales", () => {
  it("exist for every key that the code names", () => {
    const known = new Set(KEYS);
    expect(NAMED_KEYS.filter(({ key }) => !known.has(key))).toEqual([]);
    expect(NAMED_KEYS.length).toBeGreaterThan(100);
  });

  it("exist for every key that the code builds, with every value its gap can have", () => {
    expect(TEMPLATES.toSorted()).toEqual(Object.keys(COMPOSED).toSorted());
    const known = new Set(KEYS);
    expect(composed.filter((key) => !known.has(key))).toEqual([]);
  });

  it.each(Object.entries(MESSAGES))(
    "are listed for the rule %s if and only if it returns them",
    (rule, keys) => {
      expect(keys.toSorted()).toEqual([...returnedKeys(rule as RuleName)].toSorted());
    },
  );

  it("are all used", () => {
    const used = new Set([...NAMED_KEYS.map(({ key }) => key), ...composed]);
    expect(KEYS.filter((key) => !used.has(key))).toEqual([]);
  });

  it("are all that people read: the code has no Polish but the demo's customers and documents", () => {
    const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
    const polish = SOURCES.filter(({ source }) => /[ąćęłńóśźż]/i.test(withoutComments(source)));
    expect(polish.map(({ path }) => path).toSorted()).toEqual([
      // The letter without a mark that Unicode could take off.
      "app/backend/customers/find-indexes.server.ts",
      // Letters allowed in a password or a username.
      "app/contract/rules/index.ts",
      // Invented customers and what they type.
      "app/demo/customers.server.ts",
      "app/demo/documents.server.ts",
      "app/demo/screens/customer-area.ts",
      "app/demo/screens/document-password.ts",
      "app/demo/screens/screen-states.ts",
    ]);
  });

  it("have no duplicate key and no empty text", () => {
    // Parsing keeps only one of two equal keys, so a duplicate would change the text.
    for (const { file, source } of FILES) {
      expect(`${JSON.stringify(JSON.parse(source), undefined, 2)}\n`, file).toBe(source);
    }
    expect([...TEXTS, ...ENGLISH_TEXTS].filter(({ text }) => text.trim() === "")).toEqual([]);
  });
});
