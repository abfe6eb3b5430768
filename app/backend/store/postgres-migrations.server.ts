import { sql, type Kysely, type Transaction } from "kysely";
import { StartRefusal } from "../start-refusal.server";
import { allMigrations } from "./migrations/all.server";
import { rehearseMigrations, runMigrations } from "./migrations/run.server";
import { NOT_ALLOWED, StatementRefused } from "./postgres-errors.server";
import { PARTITIONED_AUDIT, addMonths, unlessBusy } from "./postgres-audit-months.server";
import { lockOutOtherOwners } from "./postgres-roles.server";
import { requireTables } from "./require-tables.server";
import type { Reader } from "./store.server";
import type { Tables } from "./tables.server";

/**
 * Brings the tables up to date as their owner, then grants the serving role what it needs. Unless that role owns the
 * tables, it can't change them, nor change or delete audit events (S90, S95).
 * @param auditRole the role that seals the audit, if there is a separate one
 * @returns the names of the migrations that ran
 * @throws StartRefusal if the tables are not up to date afterwards, or belong to a later version
 */
export async function bringUpToDate(
  db: Reader,
  owner: Reader,
  auditRole?: string,
): Promise<readonly string[]> {
  const schema = await schemaOf(owner);
  if (auditRole !== undefined) await requireRole(owner, auditRole);
  const ran = await runMigrations(owner, allMigrations(inPostgres), schema).catch(explain);
  const [role, ownerRole] = [await roleOf(db), await roleOf(owner)];
  await owner.transaction().execute(async (tx) => {
    // PostgreSQL refuses concurrent changes to the rights of a table.
    await lockOutOtherOwners(tx);
    if (role !== ownerRole) await grant(tx, schema, role);
    if (auditRole !== undefined && auditRole !== ownerRole && (await ownsAudit(tx, schema)))
      await grantSealing(tx, schema, auditRole);
  });
  await unlessBusy(
    owner.transaction().execute(async (tx) => {
      if (await ownsAudit(tx, schema)) await addMonths(tx);
    }),
  );
  await requireTables(db);
  return ran;
}

/** Runs the missing migrations in a transaction, rolls it back, and returns their names. @throws StartRefusal */
export async function rehearsePostgres(owner: Reader): Promise<readonly string[]> {
  await schemaOf(owner);
  return rehearseMigrations(owner, allMigrations(inPostgres)).catch(explain);
}

async function requireRole(owner: Kysely<Tables>, name: string): Promise<void> {
  const { rows } = await sql`select from pg_roles where rolname = ${name}`.execute(owner);
  if (rows.length === 0)
    throw new StartRefusal(
      `AUDIT_DATABASE_ROLE: the database has no role "${name}" (deploy/postgresql/roles.sql makes it)`,
    );
}

function explain(error: unknown): never {
  if (!(error instanceof StatementRefused)) throw error;
  throw new StartRefusal(
    REASONS[error.code] ?? `the tables could not be brought up to date: ${error.message}`,
  );
}

/** SQLSTATE: insufficient_privilege, duplicate_table. */
const REASONS: Readonly<Record<string, string>> = {
  [NOT_ALLOWED]:
    "the tables are not up to date, and this role may not change them: set MIGRATION_DATABASE_URL to connect as a role that may",
  "42P07":
    "the tables could not be brought up to date: a table of another program has the name of one of the portal's",
};

/** The columns of an event that the serving role writes. */
const WRITTEN = [
  ...["id", "happened_at", "event", "account_id", "subject", "purpose"],
  ...["address", "request_id", "device_name", "operator", "reason"],
];

/** Only the owner can add months and rights; any other role leaves them alone. */
async function ownsAudit(owner: Transaction<Tables>, schema: string): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select pg_has_role(relowner, 'usage') as owns from pg_class
    where oid = to_regclass(${`${schema}.audit_events`})`.execute(owner);
  return rows[0]?.owns === true;
}

async function grant(owner: Transaction<Tables>, schema: string, role: string): Promise<void> {
  const tables = (names: readonly string[]) => sql.join(names.map((name) => sql.id(schema, name)));
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = ${schema} and tableowner = current_user and tablename not like 'kysely%'`.execute(
    owner,
  );
  const changing = rows.map(({ name }) => name).filter((name) => !name.startsWith("audit_"));
  await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(owner);
  await sql`grant select on ${tables(["kysely_migration", "audit_seals", "audit_archives"])} to ${sql.id(role)}`.execute(
    owner,
  );
  // Only some columns: not the number, nor the hash of an erased event.
  await sql`revoke insert on ${tables(["audit_events"])} from ${sql.id(role)}`.execute(owner);
  const columns = sql.join(WRITTEN.map((column) => sql.id(column)));
  await sql`grant select, insert (${columns}) on ${tables(["audit_events"])} to ${sql.id(role)}`.execute(
    owner,
  );
  await sql`grant usage on sequence ${sql.id(schema, "audit_events_seq")} to ${sql.id(role)}`.execute(owner);
  await sql`grant select, insert, update, delete on ${tables(changing)} to ${sql.id(role)}`.execute(owner);
}

/** Lets the sealing role read events and add seals (S95). */
async function grantSealing(owner: Transaction<Tables>, schema: string, role: string): Promise<void> {
  const table = (name: string) => sql.id(schema, name);
  await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(owner);
  await sql`grant select on ${sql.join(["audit_events", "audit_archives", "facts", "kysely_migration"].map(table))}
    to ${sql.id(role)}`.execute(owner);
  await sql`grant select, insert on ${table("audit_seals")} to ${sql.id(role)}`.execute(owner);
  await sql`grant execute on function ${table("audit_watermark")}() to ${sql.id(role)}`.execute(owner);
}

/** The schema that new tables go to, by the role's search path. */
async function schemaOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db);
  const name = rows[0]?.name;
  if (typeof name !== "string") throw new StartRefusal("the database has no schema for the portal's tables");
  return name;
}

async function roleOf(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_user as name`.execute(db);
  return rows[0]?.name ?? "";
}

/**
 * Migrations are written for PostgreSQL already. Text is compared byte by byte, as in SQLite: an index must not depend
 * on the machine's locale, because system updates change its rules.
 */
export const inPostgres = Object.assign(
  (statement: string) => statement.replaceAll(/ text\b/g, ' text collate "C"'),
  {
    isPostgres: true,
    idsOfPolicies: [
      `alter table policies add column id text collate "C" not null default gen_random_uuid()::text`,
    ],
    sequenceOfAudit: PARTITIONED_AUDIT,
  },
);
