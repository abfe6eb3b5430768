import { randomBytes } from "node:crypto";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { hasPostgres, makeBareDatabase, onServer } from "../../database";
import { canTestWith } from "../../installed";

const ROLES = fileURLToPath(new URL("../../../deploy/postgresql/roles.sql", import.meta.url));
const NAMES = ["owner", "runtime", "audit", "backup", "help_desk"];
const PREFIX = `portal_roles_${randomBytes(6).toString("hex")}`;

const roleOf = (name: string) => `${PREFIX}_${name}`;

/** Runs roles.sql as an administrator does. Stops at an error. */
function runRoles(url: string, passwords: boolean) {
  const variables = NAMES.flatMap((name) => [
    `${name}=${roleOf(name)}`,
    ...(passwords ? [`${name}_password=secret`] : []),
  ]);
  const database = new URL(url).pathname.slice(1);
  const words = ["ON_ERROR_STOP=1", `database=${database}`, ...variables].flatMap((word) => ["-v", word]);
  const { status, stderr } = spawnSync("psql", ["-d", url, "-q", ...words, "-f", ROLES], {
    encoding: "utf8",
  });
  return { status, stderr };
}

afterAll(async () => {
  for (const name of NAMES) await onServer(`drop role if exists ${roleOf(name)}`);
});

it.runIf(hasPostgres && canTestWith("psql"))(
  "roles.sql makes the roles if it gets passwords; without them it prepares another database",
  async () => {
    for (const passwords of [true, false]) {
      const database = await makeBareDatabase();
      expect(runRoles(database.url, passwords)).toEqual({ status: 0, stderr: "" });
      expect(
        await database.query(`select has_schema_privilege('${roleOf("audit")}', 'public', 'usage') as may`),
      ).toEqual([{ may: true }]);
      await database.drop();
    }
  },
);
