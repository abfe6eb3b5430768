import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { z } from "zod";
import { archivesOf, wholeAudit } from "./archives.server";
import type { StoredEvent } from "./event-hash.server";
import { byPosition, type Position } from "./events-in-order.server";
import { type EventFilter, eventsAfter, matches } from "./find-events.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Reader } from "../store/store.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";

/** Events already read, or still being read. */
export type Events = AsyncIterable<StoredEvent> | readonly StoredEvent[];

const PAUSE_MS = 1000;
/** How often to look whether a transaction has ended. */
const LOOK_MS = 20;

/**
 * Yields events, then new ones as they come, without end, in the order of their numbers.
 * @param read reads the first events, with a filter that leaves out events that aren't final yet
 * @param onCaughtUp called whenever the caller has taken every event so far
 */
export async function* follow(
  db: Reader,
  filter: EventFilter,
  read: (filter: EventFilter) => Promise<Events>,
  onCaughtUp: () => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<StoredEvent> {
  let through = await lastFinal(db);
  yield* await read({ ...filter, through });
  for (;;) {
    await onCaughtUp();
    await wait(PAUSE_MS);
    const next = await lastFinal(db);
    yield* eventsAfter(db, { ...filter, through: next }, { seq: through + 1, id: "" });
    through = next;
  }
}

/**
 * The number of the newest event, once no event can appear before it any more. On PostgreSQL transactions take their
 * numbers before they commit (S153). Unlike the sealing job, this keeps no transaction waiting, and needs no rights.
 */
async function lastFinal(db: Reader): Promise<number> {
  const newest = await db
    .selectFrom("audit_events")
    .select("seq")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const through = newest?.seq ?? -1;
  if (!db.isPostgres) return through;
  // Every uncommitted transaction with a smaller number is among these. Later transactions have larger numbers.
  let writing = await writers(db);
  while (writing.length > 0) {
    await wait(LOOK_MS);
    const still = await writers(db);
    writing = writing.filter((one) => still.includes(one));
  }
  return through;
}

/** The transactions that have locked the audit's table to add events; they hold the lock until they end. */
async function writers(db: Reader): Promise<readonly string[]> {
  const { rows } = await sql<{ virtualtransaction: string }>`
    select virtualtransaction from pg_locks
    where locktype = 'relation' and relation = 'audit_events'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.map(({ virtualtransaction }) => virtualtransaction);
}

/** Where the audit begins. */
export const BEGINNING: Position = { seq: -1, id: "" };

/** The events after a position in their order, also events that were archived meanwhile. @throws ArchiveProblem */
export async function* eventsSince(
  db: Reader,
  { keyring, folder }: { readonly keyring: Keyring; readonly folder: string },
  filter: EventFilter,
  position: Position,
): AsyncGenerator<StoredEvent> {
  const archives = (await archivesOf(db)).filter(({ through_seq }) => through_seq >= position.seq);
  if (archives.length === 0) {
    yield* eventsAfter(db, filter, position);
    return;
  }
  for await (const { event } of wholeAudit(db, keyring, folder, archives))
    if (byPosition(event, position) > 0 && matches(event, filter)) yield event;
}

const POSITION = z.object({ seq: z.number().int().min(0), id: z.string().min(1).max(64) });
/** Characters of a padded position. One write replaces the position before it, so a kill leaves one or the other. */
const LENGTH = 128;

/**
 * A file that says how far a follower has come: it holds the position of the last event that standard output has taken
 * (S153).
 */
export class Cursor {
  /** Its position when it was opened; undefined if it is new. */
  readonly position: Position | undefined;
  readonly #file: number;

  private constructor(file: number, position: Position | undefined) {
    this.#file = file;
    this.position = position;
  }

  /**
   * Opens a cursor, or makes a new file that only its owner can read.
   * @throws UsageError if it can't be opened, isn't a cursor, or is another database's
   */
  static async open(db: Reader, path: string): Promise<Cursor> {
    const { file, content } = opened(path);
    if (content === "") return new Cursor(file, undefined);
    const position = POSITION.safeParse(parse(content)).data;
    if (!position) throw new UsageError(`--cursor: ${path} is not a cursor`);
    if (!(await isKnown(db, position)))
      throw new UsageError(
        `--cursor: this database does not have the event that ${path} names: was a backup restored?`,
      );
    return new Cursor(file, position);
  }

  /** Notes that standard output has taken an event. */
  moveTo({ seq, id }: Position): void {
    writeSync(this.#file, `${JSON.stringify({ seq, id }).padEnd(LENGTH - 1)}\n`, 0);
  }

  /** Closes the file. */
  close(): void {
    closeSync(this.#file);
  }
}

function opened(path: string) {
  try {
    // Creates the file if it is missing, and keeps its content.
    closeSync(openSync(path, "a", 0o600));
    return { file: openSync(path, "r+"), content: readFileSync(path, "utf8").trim() };
  } catch {
    throw new UsageError("--cursor: expected a file that can be read and written");
  }
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** Whether the event is in the database, or was archived. After a restore its number may be another event's. */
async function isKnown(db: Reader, { seq, id }: Position): Promise<boolean> {
  const event = db.selectFrom("audit_events").select("id").where("seq", "=", seq).where("id", "=", id);
  if (await event.executeTakeFirst()) return true;
  return (await archivesOf(db)).some(({ through_seq }) => through_seq >= seq);
}
