import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Reader } from "../store.server";
import { RESTORE_MARK } from "../require-tables.server";
import migrated from "./postgres-schema.json" with { type: "json" };
import type { SchemaObjects } from "./schema-objects.server";

/**
 * The schema that all migrations make, as `schemaOfPostgres` reads it. A test compares it with a new database, and
 * `npx vitest run tests/unit/backend/store/schema -u` writes it after a new migration.
 */
export const MIGRATED_POSTGRES: SchemaObjects = new Map(Object.entries(migrated));

/** The month of a partition of the audit; there are as many as there are months. */
const MONTH = /\baudit_events_\d{4}_\d{2}/g;

/** A name without the month of a partition. */
export function withoutMonth(name: string): string {
  return name.replaceAll(MONTH, "audit_events_month");
}

/**
 * The schema of the portal's tables, from the catalogs, which every role may read. Leaves out the mark of a restore and
 * what belongs to an extension.
 */
export async function schemaOfPostgres(db: Reader): Promise<SchemaObjects> {
  const { rows } = await sql<{ name: string; definition: string }>`
    with own as (
      select pg_class.*, pg_class.oid as id from pg_class
      where relnamespace = current_schema()::regnamespace and relname <> ${RESTORE_MARK}
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e'))
    select concat(case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
          when 'f' then 'foreign table' when 'c' then 'type' else 'table' end, ' ', relname) as name,
      concat_ws(' ', case relkind when 'S' then 'S' else 'table' end, relrowsecurity, relforcerowsecurity,
        (select string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
            attgenerated, pg_get_expr(adbin, adrelid), (select collname from pg_collation where oid = attcollation)),
            ', ' order by attname)
          from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
          where attrelid = id and attnum > 0 and not attisdropped and relkind <> 'S')) as definition
      from own where relkind not in ('i', 'I', 't')
    union all
    select concat('index ', each.relname, ' on ', own.relname), pg_get_indexdef(indexrelid)
      from pg_index join own on indrelid = own.id join pg_class as each on each.oid = indexrelid
    union all
    select concat('constraint ', conname, ' on ', relname), pg_get_constraintdef(pg_constraint.oid)
      from pg_constraint join own on conrelid = own.id where contype <> 'n'
    union all
    select concat('trigger ', tgname, ' on ', relname), concat(pg_get_triggerdef(pg_trigger.oid), tgenabled)
      from pg_trigger join own on tgrelid = own.id where not tgisinternal
    union all
    select concat('rule ', rulename, ' on ', relname), pg_get_ruledef(pg_rewrite.oid)
      from pg_rewrite join own on ev_class = own.id where relkind <> 'v' and relkind <> 'm'
    union all
    select concat('policy ', polname, ' on ', relname), pg_get_expr(polqual, polrelid)
      from pg_policy join own on polrelid = own.id
    union all
    select concat('function ', proname, '(', pg_get_function_identity_arguments(pg_proc.oid), ')'),
      concat_ws(' ', prosrc, prosecdef, proconfig, lanname, format_type(prorettype, null))
      from pg_proc join pg_language on pg_language.oid = prolang
      where pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select concat('type ', typname), typtype::text from pg_type
      where typnamespace = current_schema()::regnamespace and typtype in ('d', 'e', 'r')
        and not exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')`.execute(db);
  const schema = await sql<{ name: string }>`select quote_ident(current_schema()) as name`.execute(db);
  const prefix = schema.rows[0]?.name ?? "";
  return new Map(rows.map(({ name, definition }) => [withoutMonth(name), digest(definition, prefix)]));
}

/** A short hash of a definition, which is the same in each schema and each month. */
function digest(definition: string, schema: string): string {
  const text = withoutMonth(
    definition.replaceAll(`${schema}.`, "").replace(`search_path=${schema},`, "search_path="),
  );
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
