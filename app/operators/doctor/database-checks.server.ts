import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { stat } from "node:fs/promises";
import { countExactOnly } from "~/backend/services/accounts/compared-forms.server";
import { DATABASE_FILE } from "~/backend/store/data-directory.server";
import { checkKeysReadOnly, checkModeReadOnly, hasKeyCheck } from "~/backend/store/key-check.server";
import { migrationsToRun } from "~/backend/store/migrations/run.server";
import { MIGRATE_AS_OWNER } from "~/backend/store/require-tables.server";
import type { Reader } from "~/backend/store/store.server";
import { exactOnlyInWords, IN_ANY_SPELLING } from "../kit/choose-customer.server";
import { portalKeyring } from "../kit/portal-database.server";
import { type Check, type Finding, ok, problem, warning } from "./checks.server";

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

const FOR_OTHERS = 0o077;
const GRANT = "run portal migrate with MIGRATION_DATABASE_URL";

/** Whether the serving role can do its work and nothing else (S90, S95). */
export const rights: Check = {
  name: "rights",
  needs: ["tables"],
  run: async ({ settings, database, db }) => {
    if (database.kind === "sqlite") return fileRights(join(settings.DATA_DIR, DATABASE_FILE));
    return judgeRights(await rightsOf(db()));
  },
};

/** What the serving role may do. */
interface Rights {
  /** PostgreSQL's `synchronous_commit`. */
  readonly commits: string;
  /** An owner may do everything, because it can grant itself any right. */
  readonly ownsTables: boolean;
  readonly makesTables: boolean;
  readonly addsEvents: boolean;
  readonly changesAudit: boolean;
  readonly worksOnTables: boolean;
}

async function rightsOf(db: Reader): Promise<Rights> {
  const { rows } = await sql<Rights>`
    select current_setting('synchronous_commit') as commits,
      (select pg_has_role(relowner, 'member') from pg_class where oid = 'audit_events'::regclass) as "ownsTables",
      has_schema_privilege(current_schema(), 'create') as "makesTables",
      has_any_column_privilege('audit_events', 'insert') as "addsEvents",
      bool_or(starts_with(tablename, 'audit_') and has_table_privilege(place, 'update, delete, truncate')) as "changesAudit",
      bool_and(starts_with(tablename, 'audit_') or starts_with(tablename, 'kysely_') or (
        has_table_privilege(place, 'select') and has_table_privilege(place, 'insert')
        and has_table_privilege(place, 'update') and has_table_privilege(place, 'delete'))) as "worksOnTables"
    from (
      select tablename, format('%I.%I', schemaname, tablename) as place from pg_tables where schemaname = current_schema()
    ) as tables`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the role's rights cannot be read");
  return row;
}

function judgeRights(found: Rights): Finding {
  if (found.commits === "off")
    return problem("PostgreSQL may lose committed data: set synchronous_commit to on");
  if (!found.addsEvents) return problem(`the DATABASE_URL role may not add to the audit: ${GRANT}`);
  if (!found.worksOnTables) return problem(`the DATABASE_URL role may not write to its tables: ${GRANT}`);
  if (found.ownsTables)
    return warning(
      "one role serves and owns the tables: set MIGRATION_DATABASE_URL, and give DATABASE_URL a role that can't change the audit",
    );
  if (found.changesAudit)
    return problem("the DATABASE_URL role may change the audit: revoke update, delete and truncate");
  if (found.makesTables) return problem("the DATABASE_URL role may make tables: revoke create on the schema");
  return ok("the DATABASE_URL role adds to the audit, and can change neither it nor tables");
}

async function fileRights(file: string): Promise<Finding> {
  const { mode } = await stat(file);
  return (mode & FOR_OTHERS) === 0
    ? ok("only its owner can read the database")
    : warning(`other users of this machine may open ${file}: run chmod 600 on it`);
}
