import { sql, type Transaction } from "kysely";
import { DatabaseUnavailable } from "./database-unavailable.server";
import { StatementRefused } from "./postgres-errors.server";
import { lockOutOtherOwners } from "./postgres-roles.server";
import type { Store } from "./store.server";
import type { Tables } from "./tables.server";

/** An SQL expression for a moment in milliseconds since 1970. */
const ms = (moment: string) => `(extract(epoch from ${moment}) * 1000)::bigint`;

/**
 * Partitions the audit by month, so that old months can be dropped at once. Existing events stay where they are: their
 * table becomes the partition of all months until now. They get no numbers, which would rewrite the table, and stay
 * ordered by id.
 */
export const PARTITIONED_AUDIT: readonly string[] = [
  "create sequence audit_events_seq",
  "alter table audit_events add column seq bigint not null default 0",
  "alter table audit_events drop constraint audit_events_pkey",
  "alter table audit_events rename to audit_events_before",
  "alter index by_audit_events_account_id_event_happened_at rename to by_audit_events_before_account_id",
  "create index by_audit_events_before_seq on audit_events_before (seq, id)",
  `create table audit_events (like audit_events_before) partition by range (happened_at)`,
  "alter table audit_events alter column seq set default nextval('audit_events_seq')",
  "alter table audit_events alter column device_name set default ''",
  "alter sequence audit_events_seq owned by audit_events.seq",
  "create index by_audit_events_account_id_event_happened_at on audit_events (account_id, event, happened_at)",
  "create index by_audit_events_seq on audit_events (seq, id)",
  // Events from a clock that was ahead are moved out of the way.
  `do $$ declare months_end bigint := ${ms("date_trunc('month', clock_timestamp() at time zone 'UTC') + interval '1 month'")};
  begin
    create table audit_events_ahead as
      select * from audit_events_before where happened_at >= months_end;
    delete from audit_events_before where happened_at >= months_end;
    execute format(
      'alter table audit_events attach partition audit_events_before for values from (minvalue) to (%s)', months_end);
    create table audit_events_other partition of audit_events default;
    insert into audit_events select * from audit_events_ahead;
    drop table audit_events_ahead;
  end $$`,
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
  // Roles that could read and add events keep these rights, because portals keep serving during the migration.
  `do $$ declare earlier record; begin
    for earlier in select distinct grantee, privilege_type from information_schema.role_table_grants
      where table_schema = current_schema() and table_name = 'audit_events_before'
        and privilege_type in ('SELECT', 'INSERT') and grantee <> current_user
    loop
      execute format('grant %s on audit_events to %I', earlier.privilege_type, earlier.grantee);
      execute format('grant usage on sequence audit_events_seq to %I', earlier.grantee);
    end loop;
  end $$`,
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
export async function addMonths(owner: Transaction<Tables>): Promise<void> {
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
export async function unlessBusy(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    const canWait =
      error instanceof DatabaseUnavailable || (error instanceof StatementRefused && error.code === OVERLAPS);
    if (!canWait) throw error;
  });
}
