import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { describe, expect, it } from "vitest";
import { withTables } from "~/platform/configuration-tables.server";
import { VARIABLE_GROUPS } from "~/platform/environment.server";

const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const PATH = file("docs/configuration.md");
const PAGE = readFileSync(PATH, "utf8");

const SCHEMAS = Object.values(VARIABLE_GROUPS).flatMap((group) => Object.entries(group));

describe("what an operator can set", () => {
  it("stands in docs/configuration.md as the schema has it (`npm run configuration-docs` writes it)", async () => {
    expect(await format(withTables(PAGE), { ...(await resolveConfig(PATH)), filepath: PATH })).toBe(PAGE);
  });

  it.each(SCHEMAS)("%s is described", (_name, schema) => {
    expect(schema.meta()?.description).toMatch(/^[`A-Z…].*\.$/);
  });

  it("is missed by its group's name where the page lacks a table, or has one too many", () => {
    expect(() => withTables(PAGE.replace("table of brand", "table"))).toThrow("no table of brand");
    expect(() => withTables(PAGE.replace("table of brand", "table of codes"))).toThrow('"codes"');
  });
});
