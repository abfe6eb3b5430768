import type { Reader } from "../../store/store.server";
import { type Archive, ArchiveProblem, archivesOf, eventsOf } from "./archives.server";
import type { StoredEvent } from "./event-hash.server";
import { eventsAfter, matches } from "./find-events.server";

/** A time: from `since`, before `until`, in ms. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

/** Parts of the audit that couldn't be read, in words. */
export type Unreadable = readonly string[];

/** The months were moved to files while they were read: some events may be missing, or there twice. Read them again. */
export class ArchivedMeanwhile extends Error {
  override readonly name = "ArchivedMeanwhile";
}

/**
 * Reads every event of a span once, in the database or in a file, one at a time and in no order. Interrupted archiving
 * leaves copies in the database; these are skipped.
 * @param folder the folder of the archives
 * @returns the archives that can't be read; their events are missing
 * @throws ArchivedMeanwhile
 */
export async function readEventsBetween(
  db: Reader,
  folder: string,
  span: Span,
  onEvent: (event: StoredEvent) => void,
): Promise<Unreadable> {
  const archives = await archivesOf(db);
  const isCopy = ({ happened_at, seq }: StoredEvent) =>
    archives.some((archive) => happened_at < endOf(archive) && seq <= archive.through_seq);
  for await (const event of eventsAfter(db, span)) if (!isCopy(event)) onEvent(event);
  const unreadable: string[] = [];
  // A later month's file may have an event that came too late for its own.
  for (const archive of archives.filter((one) => endOf(one) > span.since))
    await readArchived(folder, archive, span, onEvent).catch((error: unknown) => {
      if (!(error instanceof ArchiveProblem)) throw error;
      unreadable.push(`${archive.month}: ${error.message}`);
    });
  if ((await archivesOf(db)).length !== archives.length)
    throw new ArchivedMeanwhile("months of the audit were moved to files meanwhile: run it again");
  return unreadable;
}

async function readArchived(
  folder: string,
  archive: Archive,
  span: Span,
  onEvent: (event: StoredEvent) => void,
): Promise<void> {
  for await (const event of eventsOf(folder, archive)) if (matches(event, span)) onEvent(event);
}

/** When an archive's month ends, in UTC (ms). */
function endOf({ month }: Archive): number {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return Date.UTC(year, number);
}

/** When the audit begins (ms): with the first month in a file, or the first event; undefined if it is empty. */
export async function beginningOfAudit(db: Reader): Promise<number | undefined> {
  const [first] = await archivesOf(db);
  if (first) return Date.parse(`${first.month}-01T00:00Z`);
  const row = await db
    .selectFrom("audit_events")
    .select(({ fn }) => fn.min("happened_at").as("first"))
    .executeTakeFirstOrThrow();
  const oldest = row.first as number | string | null;
  return oldest === null ? undefined : Number(oldest);
}
