import { readEnvironment, VARIABLE_GROUPS } from "../../app/platform/config/environment.server";
import { HELP_DESK_SCOPE } from "../../app/platform/config/command-needs.server";
import { LIMIT_GROUPS } from "../../app/platform/config/limit-list";

const LIST = /(<!-- list of (\S+) -->\n)[^]*?(<!-- end of list -->)/g;
const COLUMNS = 100;
/** A word, or code with the punctuation around it: code is never split across lines. */
const UNBREAKABLE = /(?:[^\s`]*`[^`]*`)+[^\s`]*|\S+/g;

/**
 * Fills in the lists of docs/configuration.md: everything between `<!-- list of NAME -->` and `<!-- end of list -->`,
 * where NAME is a group of variables or limits. `npm run configuration-docs` runs it.
 * @throws Error when the page names an unknown group, names one twice, or leaves one out
 */
export function fillConfigurationLists(page: string): string {
  const lists = new Map([
    ...Object.entries(VARIABLE_GROUPS).map(variableList),
    ...Object.entries(LIMIT_GROUPS).map(limitList),
  ]);
  const filled = page.replace(LIST, (_, begin: string, name: string, end: string) => {
    const list = lists.get(name);
    if (list === undefined) throw new Error(`unknown group "${name}", or listed twice`);
    lists.delete(name);
    return `${begin}\n${list}\n\n${end}`;
  });
  if (lists.size > 0) throw new Error(`the page has no list of ${[...lists.keys()].join(", ")}`);
  return filled;
}

function variableList([group, variables]: [string, (typeof VARIABLE_GROUPS)[string]]): [string, string] {
  const items = Object.entries(variables).map(([name, schema]) => {
    const { description = "", secret, needed } = schema.meta() ?? {};
    const remarks = [
      secret ? "secret" : "",
      needed ? `required ${needed.replace("BACKEND_URL", "`BACKEND_URL`")}` : "",
      defaultOf(name),
    ];
    return item(name, remarks, description);
  });
  return [group, items.join("\n")];
}

function defaultOf(name: string): string {
  // A portal doesn't read the help desk's.
  const readings = [readEnvironment({}), readEnvironment({}, HELP_DESK_SCOPE)];
  const values = readings.flatMap((reading) => (reading.ok ? Object.entries(reading.environment) : []));
  const value = new Map<string, unknown>(values).get(name);
  return typeof value === "string" || typeof value === "number" ? `default \`${value}\`` : "";
}

function limitList([group, limits]: [string, (typeof LIMIT_GROUPS)[keyof typeof LIMIT_GROUPS]]): [
  string,
  string,
] {
  const items = Object.entries(limits).map(([name, { value, inDemo, about }]) =>
    item(`LIMIT_${name}`, [`default ${value}`, value === inDemo ? "" : `in the demo ${inDemo}`], about),
  );
  return [group, items.join("\n")];
}

function item(name: string, remarks: readonly string[], text: string): string {
  const given = remarks.filter(Boolean).join("; ");
  return wrap(`- \`${name}\`${given && ` (${given})`}: ${text}`);
}

/** Wraps a list item so the page can be read in a terminal. */
function wrap(text: string): string {
  const [first = "", ...words] = text.match(UNBREAKABLE) ?? [];
  const lines = [first];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    if (line.length + 1 + word.length > COLUMNS) lines.push(`  ${word}`);
    else lines.splice(-1, 1, `${line} ${word}`);
  }
  return lines.join("\n");
}
