import type { Selectable } from "kysely";
import { keyedHash, sameHash } from "../../secrets/keyed-hashes.server";
import type { Keyring } from "../../secrets/keyring.server";
import type { Reader } from "../../store/store.server";
import type { Tables } from "../../store/tables.server";
import { readArchive } from "./archive-files.server";
import type { StoredEvent } from "./event-hash.server";
import { byPosition, eventsInOrder } from "./events-in-order.server";

/** A month whose events are in a file, as the database knows it. */
export type Archive = Selectable<Tables["audit_archives"]>;

/** The archives, oldest first. */
export function archivesOf(db: Reader): Promise<Archive[]> {
  return db.selectFrom("audit_archives").selectAll().orderBy("month").execute();
}

/** The keyed hash of an archive, under the current key. */
export function archiveMac(keyring: Keyring, archive: Omit<Archive, "key_version" | "archive_mac">) {
  return { key_version: keyring.current, archive_mac: macUnder(keyring, keyring.current, archive) };
}

/** Whether the database's row about an archive is ours. */
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

/** All events in their order, from the archives and from the database. @throws ArchiveProblem */
export async function* wholeAudit(
  db: Reader,
  folder: string,
  archives: readonly Archive[],
): AsyncGenerator<StoredEvent> {
  const sources = [
    ...archives.map((archive) => eventsOf(folder, archive)),
    eventsInOrder(db, { after: -1, through: Number.MAX_SAFE_INTEGER }),
  ];
  let last: StoredEvent | undefined;
  for await (const event of merged(sources)) {
    // An interrupted archiving leaves events in both places.
    if (!last || byPosition(last, event) !== 0) yield event;
    last = event;
  }
}

/** Merges sources that each are in order. */
async function* merged(sources: readonly AsyncGenerator<StoredEvent>[]): AsyncGenerator<StoredEvent> {
  const heads: { event: StoredEvent; readonly source: AsyncGenerator<StoredEvent> }[] = [];
  for (const source of sources) {
    const first = await source.next();
    if (first.done !== true) heads.push({ event: first.value, source });
  }
  while (heads.length > 0) {
    const least = heads.reduce((one, other) => (byPosition(one.event, other.event) <= 0 ? one : other));
    yield least.event;
    const next = await least.source.next();
    if (next.done === true) heads.splice(heads.indexOf(least), 1);
    else least.event = next.value;
  }
}
