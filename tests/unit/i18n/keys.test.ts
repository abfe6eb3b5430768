import { describe, expect, it } from "vitest";
import { MAX_TEXT_LENGTH } from "~/contract/rules";
import { MESSAGES, RULES, type RuleName } from "~/contract/rules/field-rules";
import { ENGLISH_TEXTS, FILES, KEYS, NAMED_KEYS, SOURCES, TEMPLATES, TEXTS } from "./every-text";

/** Input that breaks each rule. */
const TYPED = [
  "",
  "a".repeat(MAX_TEXT_LENGTH + 1),
  "aaaaaaaaa\0A1!",
  "not a code",
  "short",
  "aaaaaaaaaaaa",
  "AAAAAAAAAAAA",
  "AAAAAAAAAAA1",
  "Valid-Text-12",
  "Too-Long-1".repeat(6),
  "Żółty-Kot-12",
  "12345",
  "no",
  // The values that a browser sends instead of a passkey's answer.
  "cancelled",
  "failed",
  "known",
  "late",
  "unasked",
  "unsupported",
];

/** Whether the code builds a key by a template, by a format, or for a fault of a form. */
function isBuilt(key: string): boolean {
  return (
    TEMPLATES.some((template) => new RegExp(`^${template.replaceAll(/\$\{[^}]*\}/g, ".+")}$`).test(key)) ||
    /^common:count\./.test(key)
  );
}

describe("the texts of locales", () => {
  it.each(Object.entries(MESSAGES))(
    "are listed for the rule %s if and only if it returns them",
    (rule, keys) => {
      const returned = TYPED.flatMap((typed) =>
        TYPED.flatMap((first) => RULES[rule as RuleName](typed, first)?.key ?? []),
      );
      expect(keys.toSorted()).toEqual([...new Set(returned)].toSorted());
    },
  );

  it("are all used", () => {
    const named = new Set(NAMED_KEYS.map(({ key }) => key));
    expect(KEYS.filter((key) => !named.has(key) && !isBuilt(key))).toEqual([]);
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
