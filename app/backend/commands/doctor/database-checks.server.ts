import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { countExactOnly } from "../../services/accounts/compared-forms.server";
import { DATABASE_FILE } from "../../store/data-directory.server";
import { checkKeysReadOnly, checkModeReadOnly, hasKeyCheck } from "../../store/key-check.server";
import { migrationsToRun } from "../../store/migrations/run.server";
import { MIGRATE_AS_OWNER } from "../../store/require-tables.server";
import { IN_ANY_SPELLING, exactOnlyInWords } from "../kit/exact-only-in-words.server";
import { portalKeyring } from "../kit/portal-database.server";
import { ok, problem, warning, type Check } from "./check.server";

/** Whether the database answers, and its version. */
export const databaseAnswers: Check = {
  name: "database",
  needs: [],
  run: async ({ settings, database, db }) => {
    if (database.kind === "postgres") {
      const version = sql<{ version: string }>`select current_setting('server_version') as version`;
      return ok(`PostgreSQL ${(await version.execute(db())).rows[0]?.version ?? ""}`);
    }
    if (!existsSync(join(settings.DATA_DIR, DATABASE_FILE)))
      return problem(`${settings.DATA_DIR} holds no database: run portal migrate, or start the portal`);
    const version = sql<{ version: string }>`select sqlite_version() as version`;
    return ok(`SQLite ${(await version.execute(db())).rows[0]?.version ?? ""} in ${settings.DATA_DIR}`);
  },
};

/** On PostgreSQL a portal that starts changes no tables: it waits for them (S117). */
const HOW_TO_MIGRATE = {
  sqlite: "run portal migrate, or start a portal of this version",
  postgres: MIGRATE_AS_OWNER,
};

/** Whether all migrations have run. */
export const tablesUpToDate: Check = {
  name: "tables",
  needs: ["database"],
  run: async ({ database, db }) => {
    const missing = await migrationsToRun(db());
    return missing.length === 0
      ? ok("up to date")
      : problem(`${missing.join(", ")} missing: ${HOW_TO_MIGRATE[database.kind]}`);
  },
};

/** Whether the database belongs to this mode and these keys (S18, S84). */
export const keysFit: Check = {
  name: "keys",
  needs: ["tables"],
  run: async ({ settings, db }) => {
    const store = { read: db() };
    await checkModeReadOnly(store, settings.PORTAL_MODE);
    if (!(await hasKeyCheck(store))) return ok("none needed yet: no portal has used this database");
    const keyring = portalKeyring();
    await checkKeysReadOnly(store, keyring);
    return ok(`they fit the database; the current one is key ${keyring.current}`);
  },
};

/** Whether policy numbers and identifiers are found however they are typed. */
export const spellings: Check = {
  name: "spellings",
  needs: ["keys"],
  run: async ({ db }) => {
    // Without keys there are no policyholders yet.
    if (!(await hasKeyCheck({ read: db() }))) return ok(IN_ANY_SPELLING);
    const exactOnly = exactOnlyInWords(await countExactOnly(db(), portalKeyring()));
    return exactOnly === undefined ? ok(IN_ANY_SPELLING) : warning(exactOnly);
  },
};
