import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fillConfigurationLists } from "../../../scripts/generate/configuration-tables";
import { formatAs } from "../../../scripts/generate/format";
import { VARIABLE_GROUPS } from "~/platform/config/environment.server";
import { LIMIT_GROUPS } from "~/platform/config/limit-list";

const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const PATH = file("docs/configuration.md");
const PAGE = readFileSync(PATH, "utf8");

const SCHEMAS = Object.values(VARIABLE_GROUPS).flatMap((group) => Object.entries(group));
const LIMITS = Object.values(LIMIT_GROUPS).flatMap((group) => Object.entries(group));

describe("docs/configuration.md", () => {
  it("lists every variable as the schema has it (`npm run configuration-docs` writes it)", async () => {
    expect(await formatAs(PATH, fillConfigurationLists(PAGE))).toBe(PAGE);
  });

  it("fits a terminal of 100 columns", () => {
    expect(PAGE.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });

  it.each(SCHEMAS)("describes %s in whole sentences", (_name, schema) => {
    expect(schema.meta()?.description).toMatch(/^[`A-Z].*\.$/);
  });

  it.each(LIMITS)("describes LIMIT_%s in whole sentences", (_name, { about }) => {
    expect(about).toMatch(/^[`A-Z].*\.$/);
  });

  it("can't leave out a group, list one twice or name an unknown one", () => {
    expect(() => fillConfigurationLists(PAGE.replace("list of brand", "list"))).toThrow("no list of brand");
    expect(() => fillConfigurationLists(PAGE.replace("list of brand", "list of codes"))).toThrow('"codes"');
    expect(() => fillConfigurationLists(PAGE.replace("list of brand", "list of looks"))).toThrow('"looks"');
  });
});
