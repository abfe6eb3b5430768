import { readEnvironment, VARIABLE_GROUPS } from "./environment.server";
import { LIMIT_GROUPS } from "./limits";

const TABLE = /(<!-- table of (\S+) -->\n)[^]*?(<!-- end of table -->)/g;

/**
 * docs/configuration.md with its tables made anew: what stands between `<!-- table of NAME -->` and
 * `<!-- end of table -->`, where the name is a group of variables or limits. `npm run configuration-docs` does it.
 * @throws Error when the page names a group that there is not, or lacks one
 */
export function withTables(page: string): string {
  const tables = new Map([
    ...Object.entries(VARIABLE_GROUPS).map(variableTable),
    ...Object.entries(LIMIT_GROUPS).map(limitTable),
  ]);
  const made = page.replace(TABLE, (_, begin: string, name: string, end: string) => {
    const table = tables.get(name);
    if (table === undefined)
      throw new Error(`no group of variables is called "${name}", or it stands here twice`);
    tables.delete(name);
    return `${begin}\n${table}\n\n${end}`;
  });
  if (tables.size > 0) throw new Error(`the page has no table of ${[...tables.keys()].join(", ")}`);
  return made;
}

function variableTable([group, variables]: [string, (typeof VARIABLE_GROUPS)[string]]): [string, string] {
  const rows = Object.entries(variables).map(([name, schema]) => {
    const { description = "", secret, needed } = schema.meta() ?? {};
    const marks = [
      secret ? "**Secret.**" : "",
      needed ? `**Needed ${needed.replace("BACKEND_URL", "`BACKEND_URL`")}.**` : "",
    ];
    return [`\`${name}\``, defaultOf(name), [...marks, description].filter(Boolean).join(" ")];
  });
  return [group, table(["variable", "default", "what it is"], rows)];
}

function defaultOf(name: string): string {
  const reading = readEnvironment({});
  const value = reading.ok
    ? new Map<string, unknown>(Object.entries(reading.environment)).get(name)
    : undefined;
  return typeof value === "string" || typeof value === "number" ? `\`${value}\`` : "–";
}

function limitTable([group, limits]: [string, (typeof LIMIT_GROUPS)[keyof typeof LIMIT_GROUPS]]): [
  string,
  string,
] {
  const rows = Object.entries(limits).map(([name, { value, inDemo, about }]) => {
    const values = value === inDemo ? `${value}` : `${value} (demo ${inDemo})`;
    return [`\`LIMIT_${name}\``, values, about];
  });
  return [group, table(["variable", "value", "what it limits"], rows)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
