import { type Kysely, sql, type Transaction } from "kysely";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { DatabaseUnavailable, type Reader, type Store } from "./store.server";
import { NOT_ALLOWED, StatementRefused } from "./postgres-pool.server";
import { lockOutOtherOwners } from "./postgres-roles.server";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { HELP_DESK_RIGHTS } from "./help-desk-rights.server";
import type { Tables } from "./tables.server";
import { allMigrations, rehearseMigrations, runMigrations } from "./migrations/run.server";
import { requireTables, RESTORE_MARK } from "./require-tables.server";

/** An SQL expression for a moment in milliseconds since 1970. */
const ms = (moment: string) => `(extract(epoch from ${moment}) * 1000)::bigint`;

/**
 * The audit, partitioned by month, so that old months can be dropped at once. The partition of all months until now has
 * the name of the one that was there before there were others.
 */
const PARTITIONED_AUDIT: readonly string[] = [
  "create sequence audit_events_seq",
  `create table audit_events_before (
    id text not null, happened_at bigint not null, event text not null, account_id text, subject text, purpose text,
    address text not null, request_id text not null, device_name text not null default '',
    seq bigint not null default 0, operator text, reason text, erased_hash text)`,
  "create index by_audit_events_before_account_id on audit_events_before (account_id, event, happened_at)",
  "create index by_audit_events_before_seq on audit_events_before (seq, id)",
  "create table audit_events (like audit_events_before) partition by range (happened_at)",
  "alter table audit_events alter column seq set default nextval('audit_events_seq')",
  "alter table audit_events alter column device_name set default ''",
  "alter sequence audit_events_seq owned by audit_events.seq",
  "create index by_audit_events_seq on audit_events (seq, id)",
  `do $$ begin execute format(
    'alter table audit_events attach partition audit_events_before for values from (minvalue) to (%s)',
    ${ms("date_trunc('month', clock_timestamp() at time zone 'UTC') + interval '1 month'")}); end $$`,
  "create table audit_events_other partition of audit_events default",
  // Waits until all events written so far are committed, and returns the last one's number. It runs as its owner,
  // because the sealing role may not change the table and so may not lock it.
  `create function audit_watermark() returns bigint language plpgsql security definer
    set search_path from current set lock_timeout = '300ms' as $$
  begin
    lock table only audit_events in share mode;
    return coalesce((select max(seq) from audit_events), -1);
  end $$`,
  // Table names must mean the owner's tables, not temporary ones of the caller.
  "do $$ begin execute format('alter function audit_watermark() set search_path = %I, pg_temp', current_schema()); end $$",
  "revoke execute on function audit_watermark() from public",
];

const PREFIX = "audit_events_";
/** How many months are made in advance. Events of other months go to the default partition, which works as well. */
const AHEAD = 3;

/**
 * Makes the partitions of the next months, as the tables' owner, if the audit has partitions. If a dump is reading the
 * audit, this is left to the next run; until then, events go to the default partition.
 */
export async function keepMonthsAhead(store: Store): Promise<void> {
  if (store.read.isPostgres) await unlessBusy(store.write(addMonths));
}

/** Does so in a transaction of the owner. */
async function addMonths(owner: Transaction<Tables>): Promise<void> {
  await lockOutOtherOwners(owner);
  await hurry(owner);
  const { rows } = await sql<{ name: string; starts: number; ends: number }>`
    select to_char(month, '"${sql.raw(PREFIX)}"YYYY_MM') as name,
      ${sql.raw(ms("month"))} as starts, ${sql.raw(ms("month + interval '1 month'"))} as ends
    from generate_series(
      date_trunc('month', now() at time zone 'UTC') + interval '1 month',
      date_trunc('month', now() at time zone 'UTC') + ${sql.lit(AHEAD)} * interval '1 month', interval '1 month') as month
    where to_regclass(to_char(month, '"${sql.raw(PREFIX)}"YYYY_MM')) is null`.execute(owner);
  for (const { name, starts, ends } of rows) await addMonth(owner, name, starts, ends);
}

/** Adds a month, and moves its events out of the default partition. */
async function addMonth(
  owner: Transaction<Tables>,
  name: string,
  starts: number,
  ends: number,
): Promise<void> {
  const month = sql.id(name);
  await sql`create table ${month} (like audit_events including defaults)`.execute(owner);
  await sql`with moved as (delete from audit_events_other where happened_at >= ${sql.lit(starts)}
    and happened_at < ${sql.lit(ends)} returning *) insert into ${month} select * from moved`.execute(owner);
  await sql`alter table audit_events attach partition ${month}
    for values from (${sql.lit(starts)}) to (${sql.lit(ends)})`.execute(owner);
}

/** Drops the empty partitions of months that ended by then (ms). If one is in use, that is left to the next run. */
export async function dropPastMonths(store: Store, end: number): Promise<void> {
  await unlessBusy(
    store.write(async (tx) => {
      await hurry(tx);
      const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class join pg_inherits on inhrelid = pg_class.oid
      where inhparent = 'audit_events'::regclass
        and (regexp_match(pg_get_expr(relpartbound, pg_class.oid), 'TO \\(''?(\\d+)''?\\)'))[1]::bigint <= ${end}`.execute(
        tx,
      );
      for (const { name } of rows) {
        await sql`lock table ${sql.id(name)} in access exclusive mode`.execute(tx);
        const { rows: left } = await sql`select from ${sql.id(name)} limit 1`.execute(tx);
        if (left.length === 0) await sql`drop table ${sql.id(name)}`.execute(tx);
      }
    }),
  );
}

/** Gives up soon on a lock, because customers queue up behind a statement that waits for one. */
async function hurry(tx: Transaction<Tables>): Promise<void> {
  await sql`set local lock_timeout = '300ms'`.execute(tx);
}

/** SQLSTATE: invalid_object_definition (a month that overlaps, after a clock was set back). */
const OVERLAPS = "42P17";

/**
 * Runs work that may be left to the next time if the tables are locked or the database is away (which is noticed
 * elsewhere).
 */
async function unlessBusy(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    const canWait =
      error instanceof DatabaseUnavailable || (error instanceof StatementRefused && error.code === OVERLAPS);
    if (!canWait) throw error;
  });
}

/** Roles beside the serving one, if there are. */
type OtherRoles = Pick<PostgresSettings, "auditRole" | "helpDeskRole">;

/**
 * Brings the tables up to date as their owner, then grants the serving role what it needs. Unless that role owns the
 * tables, it can't change them, nor change or delete audit events (S90, S95).
 * @returns the names of the migrations that ran
 * @throws StartRefusal if the tables are not up to date afterwards, or belong to a later version
 */
export async function bringUpToDate(
  db: Reader,
  owner: Reader,
  { auditRole, helpDeskRole }: OtherRoles = {},
): Promise<readonly string[]> {
  const schema = await schemaOf(owner);
  if (auditRole !== undefined) await requireRole(owner, "AUDIT_DATABASE_ROLE", auditRole);
  if (helpDeskRole !== undefined) await requireRole(owner, "HELP_DESK_DATABASE_ROLE", helpDeskRole);
  const ran = await runMigrations(owner, allMigrations(inPostgres), schema).catch(explain);
  const [role, ownerRole] = [await roleOf(db), await roleOf(owner)];
  await owner.transaction().execute(async (tx) => {
    // PostgreSQL refuses concurrent changes to the rights of a table.
    await lockOutOtherOwners(tx);
    // First, because it also takes rights away: one role may be several of these.
    if (helpDeskRole !== undefined && helpDeskRole !== ownerRole && (await ownsAudit(tx, schema)))
      await grantHelpDesk(tx, schema, helpDeskRole);
    if (role !== ownerRole) await grant(tx, schema, role);
    if (auditRole !== undefined && auditRole !== ownerRole && (await ownsAudit(tx, schema)))
      await grantSealing(tx, schema, auditRole);
    if (await ownsAudit(tx, schema)) await grantNoting(tx, schema);
  });
  await unlessBusy(
    owner.transaction().execute(async (tx) => {
      if (await ownsAudit(tx, schema)) await addMonths(tx);
    }),
  );
  await requireTables(db);
  return ran;
}

/** Makes the tables of the release whose migrations these are, in an empty schema. @throws StartRefusal */
export async function makeTablesOf(owner: Reader, names: readonly string[]): Promise<void> {
  const all = Object.entries(allMigrations(inPostgres));
  const own = Object.fromEntries(all.filter(([name]) => names.includes(name)));
  await runMigrations(owner, own, await schemaOf(owner)).catch(explain);
}

/** Drops the portal's tables, so that the schema is empty but for the mark of a restore. */
export async function dropTables(owner: Reader): Promise<void> {
  await sql`do $$ declare own record; begin
    for own in select relname from pg_class where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p') and relname <> ${sql.lit(RESTORE_MARK)}
    loop
      execute format('drop table if exists %I cascade', own.relname);
    end loop;
    drop function if exists audit_watermark();
  end $$`.execute(owner);
}

/** Runs the missing migrations in a transaction, rolls it back, and returns their names. @throws StartRefusal */
export async function rehearsePostgres(owner: Reader): Promise<readonly string[]> {
  await schemaOf(owner);
  return rehearseMigrations(owner, allMigrations(inPostgres)).catch(explain);
}

async function requireRole(owner: Kysely<Tables>, variable: string, name: string): Promise<void> {
  const { rows } = await sql<{ connects: boolean }>`
    select has_database_privilege(oid, current_database(), 'connect') as connects
    from pg_roles where rolname = ${name}`.execute(owner);
  const [role] = rows;
  if (!role)
    throw new StartRefusal(
      `${variable}: the database has no role "${name}" (deploy/postgresql/roles.sql makes it)`,
    );
  // As in a new database to which a backup was restored, if roles.sql was run without the role's name.
  if (!role.connects)
    throw new StartRefusal(
      `${variable}: the role "${name}" can't connect to this database (deploy/postgresql/roles.sql lets it)`,
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
  "id",
  "happened_at",
  "event",
  "account_id",
  "subject",
  "purpose",
  "address",
  "request_id",
  "device_name",
  "operator",
  "reason",
];

/** Only the owner can add months and rights; any other role leaves them alone. */
async function ownsAudit(owner: Transaction<Tables>, schema: string): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select pg_has_role(relowner, 'usage') as owns from pg_class
    where oid = to_regclass(${`${schema}.audit_events`})`.execute(owner);
  return rows[0]?.owns === true;
}

/** Lets a role write events to the audit, and read them. */
async function grantAudit(owner: Transaction<Tables>, schema: string, role: string): Promise<void> {
  const events = sql.id(schema, "audit_events");
  // Only some columns: not the number, nor the hash of an erased event.
  await sql`revoke insert on ${events} from ${sql.id(role)}`.execute(owner);
  const columns = sql.join(WRITTEN.map((column) => sql.id(column)));
  await sql`grant select, insert (${columns}) on ${events} to ${sql.id(role)}`.execute(owner);
  await sql`grant usage on sequence ${sql.id(schema, "audit_events_seq")} to ${sql.id(role)}`.execute(owner);
}

/** Lets the role of the help desk's pages do what they do, and write to the audit. Takes away any other right. */
async function grantHelpDesk(owner: Transaction<Tables>, schema: string, role: string): Promise<void> {
  const own = await ownTables(owner, schema);
  const all = sql.join(own.map((name) => sql.id(schema, name)));
  await sql`revoke all on ${all} from ${sql.id(role)}`.execute(owner);
  await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(owner);
  await grantAudit(owner, schema, role);
  for (const { right, columns, table } of HELP_DESK_RIGHTS) {
    const of = columns === undefined ? sql`` : sql`(${sql.join(columns.map((column) => sql.id(column)))})`;
    await sql`grant ${sql.raw(right)} ${of} on ${sql.id(schema, table)} to ${sql.id(role)}`.execute(owner);
  }
}

/** The names of the owner's tables. */
async function ownTables(owner: Transaction<Tables>, schema: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = ${schema} and tableowner = current_user`.execute(owner);
  return rows.map(({ name }) => name);
}

async function grant(owner: Transaction<Tables>, schema: string, role: string): Promise<void> {
  const tables = (names: readonly string[]) => sql.join(names.map((name) => sql.id(schema, name)));
  const own = await ownTables(owner, schema);
  const changing = own.filter((name) => !/^(?:audit_|kysely)/.test(name));
  await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(owner);
  await sql`grant select on ${tables(["kysely_migration", "audit_seals", "audit_archives"])} to ${sql.id(role)}`.execute(
    owner,
  );
  await grantAudit(owner, schema, role);
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

/**
 * Lets the backup's role note its successes. It is every role that may read whatever tables the owner makes, as
 * deploy/postgresql/roles.sql lets it.
 */
async function grantNoting(owner: Transaction<Tables>, schema: string): Promise<void> {
  const { rows } = await sql<{ role: string }>`
    select distinct pg_get_userbyid(grantee) as role
    from pg_default_acl, aclexplode(defaclacl)
    where defaclrole = (select oid from pg_roles where rolname = current_user) and defaclobjtype = 'r'
      and defaclnamespace in (0, ${schema}::regnamespace) and privilege_type = 'SELECT'
      and grantee not in (0, defaclrole)`.execute(owner);
  for (const { role } of rows)
    await sql`grant insert, update on ${sql.id(schema, "job_successes")} to ${sql.id(role)}`.execute(owner);
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
    policyId: "id text not null default gen_random_uuid()::text",
    policyIds: [],
    audit: PARTITIONED_AUDIT,
  },
);
