import { expect, it } from "vitest";
import { scopeOf, type Needs } from "~/platform/config/command-needs.server";
import { readEnvironment } from "~/platform/config/environment.server";

const WRONG = { PORT: "web", SMS_GATEWAY: "fax", BACKUP_KEEP_DAY: "90", DATA_KEYS_FILE: "/nowhere" };
const problemsWith = (needs: Needs) => {
  const reading = readEnvironment({ PORTAL_MODE: "production", ...WRONG }, scopeOf(needs));
  return reading.ok ? [] : reading.problems.map((problem) => problem.split(":", 1)[0]);
};

it.each<[Needs, readonly string[]]>([
  [["database"], []],
  [["database", "keys"], ["DATA_KEYS_FILE"]],
  [["database", "keys if set"], []],
  [["notices"], ["SMS_GATEWAY"]],
  [["backups"], ["BACKUP_KEEP_DAY"]],
])("a command that needs %j is told of its own variables alone: %j", (needs, names) => {
  expect(problemsWith(needs)).toEqual(names);
});

it("reading a variable outside the scope throws: the default would replace the operator's value", () => {
  const reading = readEnvironment({ BRAND_NAME: "Insurer Example" }, scopeOf(["database"]));
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  expect(() => reading.environment.BRAND_NAME).toThrow("BRAND_NAME is read outside its scope");
  expect(reading.environment.DATABASE_POOL).toBe(10);
});
