import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CATALOGUE_CODES } from "~/contract/errors";
import { openApiDocument } from "../../../scripts/generate/openapi";

interface Document {
  readonly components: Record<string, Record<string, object>>;
}

const FILE = fileURLToPath(new URL("../../../docs/openapi.json", import.meta.url));
const published = JSON.parse(readFileSync(FILE, "utf8")) as Document;

/** Every object in the document that has this key, at any depth. */
function having(key: string, value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const own = !Array.isArray(value) && key in value ? [value as Record<string, unknown>] : [];
  return [...own, ...Object.values(value).flatMap((part: unknown) => having(key, part))];
}

describe("the published contract, docs/openapi.json", () => {
  it("matches the schemas (if not: npm run openapi)", () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });

  it("refers only to what it defines", () => {
    const references = having("$ref", published).map(({ $ref }) => String($ref));
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) {
      const [root, components, kind = "", name = ""] = reference.split("/");
      expect([root, components]).toEqual(["#", "components"]);
      expect(published.components[kind]?.[name], reference).toBeTypeOf("object");
    }
    for (const { security } of having("security", published))
      expect(["[{}]", '[{},{"session":[]}]', '[{"session":[]}]']).toContain(JSON.stringify(security));
  });

  it("uses patterns that compile, and no other JSON Schema dialect", () => {
    for (const { pattern } of having("pattern", published))
      expect(() => new RegExp(String(pattern), "u")).not.toThrow();
    expect(having("$schema", published)).toEqual([]);
  });

  it("names every code of the error catalogue", () => {
    const listed = having("enum", published).flatMap((schema) => schema["enum"] as unknown[]);
    for (const code of CATALOGUE_CODES) expect(listed, code).toContain(code);
  });
});
