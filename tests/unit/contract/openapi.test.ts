import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CALLS, type CallName } from "~/contract/calls.server";
import { CATALOGUE_CODES } from "~/contract/errors";
import { openApiDocument } from "../../../scripts/generate/openapi";

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { content: Record<string, { schema: { properties: object; required?: string[] } }> };
  readonly responses: Record<string, object>;
}
interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string; description: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, object>>;
}

const FILE = fileURLToPath(new URL("../../../docs/openapi.json", import.meta.url));
const published = JSON.parse(readFileSync(FILE, "utf8")) as Document;

const NAMES = Object.keys(CALLS) as CallName[];
const operationOf = (name: CallName) => published.paths[CALLS[name].path]?.[CALLS[name].method.toLowerCase()];

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

  it("is OpenAPI 3.1, and lists exactly the calls that exist", () => {
    expect(published.openapi).toBe("3.1.0");
    expect(published.info.version).toMatch(/^\d+\.\d+\.\d+$/);
    const operations = Object.values(published.paths).flatMap((path) => Object.values(path));
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(NAMES.toSorted());
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

  describe.each(NAMES)("%s", (name) => {
    const { access, method, path, request } = CALLS[name];
    const operation = operationOf(name);
    const body = operation?.requestBody?.content["application/json"]?.schema;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field);

    it("has each of its fields once, in the path or in the body", () => {
      const parameters = operation?.parameters ?? [];
      expect(parameters.map((parameter) => [parameter.name, parameter.in, parameter.required])).toEqual(
        inPath.map((field) => [field, "path", true]),
      );
      const rest = Object.keys(request.shape).filter((field) => !inPath.includes(field));
      expect(Object.keys(body?.properties ?? {})).toEqual(rest);
      expect(operation?.requestBody !== undefined).toBe(method === "POST" || method === "PUT");
    });

    it("lists every status it can be answered with", () => {
      const statuses = Object.keys(operation?.responses ?? {}).map(Number);
      expect(statuses).toContain(method === "DELETE" ? 204 : 200);
      expect(statuses).toEqual(expect.arrayContaining([429, 503]));
      expect(statuses.includes(401)).toBe(!["always", "open", "signed-out"].includes(access));
      expect(statuses.includes(409)).toBe(["open", "active", "signed-out"].includes(access));
      for (const status of [411, 413, 415, 422])
        expect(statuses.includes(status), String(status)).toBe(body !== undefined);
      expect(operation?.security.some((way) => Object.keys(way).length === 0)).toBe(!statuses.includes(401));
    });
  });

  it("names every code of the error catalogue", () => {
    const listed = having("enum", published).flatMap((schema) => schema["enum"] as unknown[]);
    for (const code of CATALOGUE_CODES) expect(listed, code).toContain(code);
  });
});
