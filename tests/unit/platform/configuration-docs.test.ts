import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readEnvironment } from "~/platform/environment.server";
import { defaultLimits, LIMIT_NAMES } from "~/platform/limits";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
/** Tables are padded to be read as plain text, too. */
const readTables = (path: string) => read(path).replaceAll(/ +/g, " ");

const README = readTables("README.md");
const CONFIGURATION = readTables("docs/configuration.md");
const SCHEMA = read("app/platform/environment.server.ts") + read("app/platform/brand-variables.server.ts");

/** Names of the schema and of its part for the brand; no other object there has keys in capitals. */
const VARIABLES = [...SCHEMA.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name ?? "");
const DEFAULTS = readEnvironment({});

describe("what an operator can set", () => {
  it("is read from the schema", () => {
    expect(VARIABLES).toEqual(expect.arrayContaining(["PORTAL_MODE", "PORT", "SESSION_SECRET", "LOG_LEVEL"]));
    if (!DEFAULTS.ok) throw new Error(DEFAULTS.problems.join("\n"));
    const known = new Set(VARIABLES);
    expect(Object.keys(DEFAULTS.environment).filter((name) => name !== "limits" && !known.has(name))).toEqual(
      [],
    );
  });

  it.each(VARIABLES)("the README has a row for %s", (name) => {
    expect(README).toContain(`\n| \`${name}\` `);
  });

  it.each(VARIABLES)("docs/configuration.md has a row for %s, with its default", (name) => {
    const defaults: Readonly<Record<string, unknown>> = DEFAULTS.ok ? { ...DEFAULTS.environment } : {};
    const byDefault = defaults[name];
    const isSimple = typeof byDefault === "string" || typeof byDefault === "number";
    expect(CONFIGURATION).toContain(`\n| \`${name}\` | ${isSimple ? `\`${byDefault}\`` : "–"} | `);
  });

  it.each(LIMIT_NAMES)("docs/configuration.md has a row for LIMIT_%s, with its values", (name) => {
    const [production, demo] = [defaultLimits("production")[name], defaultLimits("demo")[name]];
    const values = production === demo ? `${production}` : `${production} (demo ${demo})`;
    expect(CONFIGURATION).toContain(`\n| \`LIMIT_${name}\` | ${values} | `);
  });

  it("is all that the tables name", () => {
    const known = new Set([...VARIABLES, ...LIMIT_NAMES.map((name) => `LIMIT_${name}`)]);
    const rows = [...`${README}\n${CONFIGURATION}`.matchAll(/^\| `([A-Z][A-Z0-9_]+)` /gm)].map(
      ([, name]) => name ?? "",
    );
    expect(rows.filter((name) => !known.has(name))).toEqual([]);
  });
});
