import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { DATABASE_FILE } from "../../store/data-directory.server";
import type { Reader } from "../../store/store.server";
import { ok, problem, warning, type Check, type Finding } from "./check.server";

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
