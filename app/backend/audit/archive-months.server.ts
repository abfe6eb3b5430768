import { sql } from "kysely";
import { DAY } from "~/platform/time.server";
import type { Keyring } from "../secrets/keyring.server";
import { dropPastMonths } from "../store/postgres-migrations.server";
import type { Reader, Store } from "../store/store.server";
import {
  type Archive,
  archiveMac,
  archivesOf,
  lockArchives,
  removeArchive,
  removeStrays,
  writeArchive,
} from "./archives.server";
import type { StoredEvent } from "./event-hash.server";
import { eventsInOrder } from "./events-in-order.server";
import { lastSeal } from "./seal-events.server";

/** The longest time by which events are out of order (ms): clocks differ, and transactions take time. */
const OUT_OF_ORDER = DAY;
/** How many events SQLite deletes at once. Few, so that requests hardly wait. */
const BATCH = 500;
/** How many of the first events are read to find the next month. */
const FIRST_EVENTS = 1000;

/** The options of an archiving run. */
interface Archiving {
  readonly folder: string;
  /** How many whole months stay in the database. */
  readonly keepMonths: number;
  /** ms */
  readonly now: number;
  /** Called with each month before it is archived. */
  readonly onMonth?: (month: string) => void;
}

/** Whether this process may archive: on PostgreSQL, only the tables' owner may. */
export async function mayArchive(db: Reader): Promise<boolean> {
  if (!db.isPostgres) return true;
  const { rows } = await sql<{ may: boolean }>`
    select has_table_privilege('audit_events', 'delete') and has_table_privilege('audit_archives', 'insert') as may`.execute(
    db,
  );
  return rows[0]?.may === true;
}

/**
 * Moves older sealed events to one file per month, then deletes them from the database. Needs the right to change the
 * audit, which the tables' owner has. After an interruption, the next call carries on.
 * @returns the months that were archived
 */
export async function archiveMonths(
  store: Store,
  keyring: Keyring,
  { folder, keepMonths, now, onMonth }: Archiving,
): Promise<readonly Archive[]> {
  const archived: Archive[] = [];
  const before = await archivesOf(store.read);
  await removeStrays(
    folder,
    before.map(({ file }) => file),
    now,
  );
  for (const known of before) await deleteArchived(store, known);
  for (;;) {
    const month = await nextMonth(store.read);
    if (month === undefined || month > monthBefore(now, keepMonths + 1)) return archived;
    onMonth?.(month);
    const archive = await archiveMonth(store, keyring, folder, { month, now });
    if (!archive) return archived;
    await deleteArchived(store, archive);
    archived.push(archive);
  }
}

/** Archives a month; undefined if some of its events are not sealed yet, or another process was faster. */
async function archiveMonth(
  store: Store,
  keyring: Keyring,
  folder: string,
  { month, now }: { readonly month: string; readonly now: number },
): Promise<Archive | undefined> {
  const sealed = (await lastSeal(store.read))?.through_seq ?? -1;
  const end = startOf(monthAfter(month));
  if (await hasUnsealed(store.read, sealed, end)) return undefined;
  const written = await writeArchive(folder, month, eventsBefore(store.read, { end, sealed, now }));
  const facts = {
    month,
    file: written.file,
    events: written.events,
    through_seq: written.throughSeq,
    file_sha256: written.sha256,
    archived_at: now,
  };
  const archive = { ...facts, ...archiveMac(keyring, facts) };
  if (await recordArchive(store, archive, { end, erased: written.erased })) return archive;
  await removeArchive(folder, written.file);
  return undefined;
}

/**
 * Records the file in the database. Returns false if another process has archived the month, or events were erased
 * since they were read; the next run tries again.
 */
function recordArchive(
  store: Store,
  archive: Archive,
  { end, erased }: { readonly end: number; readonly erased: number },
): Promise<boolean> {
  return store.write(async (tx) => {
    await lockArchives(tx);
    const { count } = await tx
      .selectFrom("audit_events")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("erased_hash", "is not", null)
      .where("happened_at", "<", end)
      .where("seq", "<=", archive.through_seq)
      .executeTakeFirstOrThrow();
    if (count !== erased) return false;
    const added = await tx
      .insertInto("audit_archives")
      .values(archive)
      .onConflict((conflict) => conflict.column("month").doNothing())
      .returning("month")
      .executeTakeFirst();
    return added !== undefined;
  });
}

/** Sealed events before a moment, in order. */
async function* eventsBefore(
  db: Reader,
  { end, sealed, now }: { readonly end: number; readonly sealed: number; readonly now: number },
): AsyncGenerator<StoredEvent> {
  for await (const event of eventsInOrder(db, { after: -1, through: sealed })) {
    if (event.happened_at < end) yield event;
    else if (event.happened_at >= end + OUT_OF_ORDER && event.happened_at <= now) return;
  }
}

async function hasUnsealed(db: Reader, sealed: number, end: number): Promise<boolean> {
  const query = db.selectFrom("audit_events").select("id").where("seq", ">", sealed);
  return (await query.where("happened_at", "<", end).limit(1).executeTakeFirst()) !== undefined;
}

/** Deletes the events of an archive. On PostgreSQL, it drops their month's table too if that is then empty. */
async function deleteArchived(store: Store, { month, through_seq }: Archive): Promise<void> {
  const end = startOf(monthAfter(month));
  if (store.read.isPostgres) {
    await store.write(async (tx) => {
      await tx
        .deleteFrom("audit_events")
        .where("happened_at", "<", end)
        .where("seq", "<=", through_seq)
        .execute();
    });
    await dropPastMonths(store, end);
    return;
  }
  const some = sql`select seq from audit_events where seq <= ${through_seq} and happened_at < ${end} limit ${sql.lit(BATCH)}`;
  const batch = sql`delete from audit_events where seq in (${some})`;
  for (let deleted = BATCH; deleted === BATCH;) {
    const result = await store.write((tx) => batch.execute(tx));
    deleted = Number(result.numAffectedRows ?? 0);
  }
}

/** The month of the oldest event. An event that arrives after its month was archived goes into the next one. */
async function nextMonth(db: Reader): Promise<string | undefined> {
  // The first event alone isn't enough: its clock may have been ahead.
  const first = await db
    .selectFrom("audit_events")
    .select("happened_at")
    .orderBy("seq")
    .orderBy("id")
    .limit(FIRST_EVENTS)
    .execute();
  const last = (await archivesOf(db)).at(-1)?.month ?? "";
  const months = first.map(({ happened_at }) => monthOf(happened_at)).sort();
  return months.find((month) => month > last) ?? (months.length > 0 ? monthAfter(last) : undefined);
}

/** `2026-11`, UTC. */
function monthOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, "YYYY-MM".length);
}

/** When a month begins, in ms. */
function startOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

function monthAfter(month: string): string {
  const date = new Date(startOf(month));
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}

/** The month that lies this many months before a moment. */
function monthBefore(moment: number, months: number): string {
  const date = new Date(moment);
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months));
}
