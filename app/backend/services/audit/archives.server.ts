import type { Selectable } from "kysely";
import { type Keyring, keyedHash, sameHash } from "../../secrets/keyring.server";
import { takeAdvisoryLock } from "../../store/advisory-lock.server";
import type { Reader, Tx } from "../../store/store.server";
import type { Tables } from "../../store/tables.server";
import { readArchive } from "./archive-files.server";
import { type StoredEvent, eventHash, isOwnErasure } from "./event-hash.server";
import { byPosition, eventsInOrder } from "./events-in-order.server";

/** The database's row about a month that was moved to a file. */
export type Archive = Selectable<Tables["audit_archives"]>;

/** The archives, oldest first. */
export function archivesOf(db: Reader): Promise<Archive[]> {
  return db.selectFrom("audit_archives").selectAll().orderBy("month").execute();
}

/** Keeps other transactions from adding an archive or erasing events until this one ends. */
export function lockArchives(tx: Tx): Promise<void> {
  return takeAdvisoryLock(tx, "audit-archives");
}

/** The keyed hash of an archive, under the current key. */
export function archiveMac(keyring: Keyring, archive: Omit<Archive, "key_version" | "archive_mac">) {
  return { key_version: keyring.current, archive_mac: macUnder(keyring, keyring.current, archive) };
}

/** Whether the portal wrote this row, and nobody has changed it. */
export function isOwnArchive(keyring: Keyring, archive: Archive): boolean {
  return (
    keyring.versions.includes(archive.key_version) &&
    sameHash(archive.archive_mac, macUnder(keyring, archive.key_version, archive))
  );
}

function macUnder(
  keyring: Keyring,
  version: number,
  { month, file, events, through_seq, file_sha256 }: Omit<Archive, "key_version" | "archive_mac">,
): string {
  const parts = ["archive", month, file, String(events), String(through_seq), file_sha256];
  return keyedHash(keyring, "audit", version, parts);
}

/** Reads an archive. @throws ArchiveProblem */
export function eventsOf(folder: string, { file, file_sha256 }: Archive): AsyncGenerator<StoredEvent> {
  return readArchive(folder, { file, sha256: file_sha256 });
}

/** An event, and whether it was read from a file, which vouches for it. */
interface KeptEvent {
  readonly event: StoredEvent;
  readonly isFromFile: boolean;
}

/**
 * All events in order, from the archives and the database. Interrupted archiving leaves events in both places: a true
 * copy is skipped, anything else with the same number is not.
 * @throws ArchiveProblem
 */
export async function* wholeAudit(
  db: Reader,
  keyring: Keyring,
  folder: string,
  archives: readonly Archive[],
): AsyncGenerator<KeptEvent> {
  const sources = [
    ...archives.map((archive) => kept(eventsOf(folder, archive), true)),
    kept(eventsInOrder(db, { after: -1, through: Number.MAX_SAFE_INTEGER }), false),
  ];
  let last: KeptEvent | undefined;
  for await (const next of merged(sources)) {
    if (!last || !isCopy(keyring, last, next)) yield next;
    last = next;
  }
}

function isCopy(keyring: Keyring, { event: archived, isFromFile }: KeptEvent, { event }: KeptEvent): boolean {
  return (
    isFromFile &&
    byPosition(archived, event) === 0 &&
    eventHash(archived) === eventHash(event) &&
    (event.erased_hash === null || isOwnErasure(keyring, event))
  );
}

async function* kept(events: AsyncIterable<StoredEvent>, isFromFile: boolean): AsyncGenerator<KeptEvent> {
  for await (const event of events) yield { event, isFromFile };
}

/** Merges sources that are each in order. At the same position, the archive's event comes first. */
async function* merged(sources: readonly AsyncGenerator<KeptEvent>[]): AsyncGenerator<KeptEvent> {
  const heads: { next: KeptEvent; readonly source: AsyncGenerator<KeptEvent> }[] = [];
  for (const source of sources) {
    const first = await source.next();
    if (first.done !== true) heads.push({ next: first.value, source });
  }
  while (heads.length > 0) {
    const least = heads.reduce((one, other) =>
      byPosition(one.next.event, other.next.event) <= 0 ? one : other,
    );
    yield least.next;
    const next = await least.source.next();
    if (next.done === true) heads.splice(heads.indexOf(least), 1);
    else least.next = next.value;
  }
}
