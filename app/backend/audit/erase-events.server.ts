import type { Keyring } from "../secrets/keyring.server";
import type { Reader, Store, Tx } from "../store/store.server";
import { audit, type StaffSource } from "./audit-event.server";
import { changeEvent } from "./events-in-order.server";
import {
  type Archive,
  archiveMac,
  archivesOf,
  eventsOf,
  lockArchives,
  removeArchive,
  writeArchive,
} from "./archives.server";
import { erased, type StoredEvent } from "./event-hash.server";

/** The person whose events are erased. */
export interface EventsOf {
  readonly accountId: string | undefined;
  /** Their customer id, and keyed hashes of their details as typed. */
  readonly subjects: readonly string[];
}

/** Archives changed after they were searched: search them again, then run the work again. */
export class ArchivesChanged extends Error {
  override readonly name = "ArchivesChanged";
}

/**
 * Erases a person's events in the database. The kind and the time of each event stay, with a hash that the seals need
 * (S91). Needs the right to change the audit.
 * @param searched the files that `eraseFromArchives` returned
 * @returns the number of events
 * @throws ArchivesChanged
 */
export async function eraseEvents(
  tx: Tx,
  keyring: Keyring,
  of: EventsOf,
  searched: readonly string[],
): Promise<number> {
  await lockArchives(tx);
  if ((await archivesOf(tx)).some(({ file }) => !searched.includes(file)))
    throw new ArchivesChanged("a month was archived meanwhile");
  const found = await tx
    .selectFrom("audit_events")
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(of.accountId === undefined ? [] : [eb("account_id", "=", of.accountId)]),
        ...(of.subjects.length === 0 ? [] : [eb("subject", "in", of.subjects)]),
      ]),
    )
    .execute();
  for (const event of found) await changeEvent(tx, event, erased(keyring, event));
  return found.length;
}

/** An erasure from the archives: of whose events, on whose behalf, and when (ms). */
interface Erasing {
  readonly of: EventsOf;
  readonly source: StaffSource;
  readonly now: number;
  /** Called with the month of each archive before it is read. */
  readonly onArchive?: (month: string) => void;
}

/** How many events were erased from the archives, and the files that no longer mention the person. */
interface ErasedFromArchives {
  readonly events: number;
  readonly files: readonly string[];
}

/**
 * Erases a person's events in the archives: rewrites each file that has some, and adds an audit event for it. Can be
 * called again after an interruption. Needs the right to change the audit.
 * @param folder the folder with the archives
 * @throws ArchiveProblem if an archive can't be read
 */
export async function eraseFromArchives(
  store: Store,
  keyring: Keyring,
  folder: string,
  { onArchive, ...erasing }: Erasing,
): Promise<ErasedFromArchives> {
  let events = 0;
  const files: string[] = [];
  for (const archive of await archivesOf(store.read)) {
    onArchive?.(archive.month);
    const found = await countIn(folder, archive, erasing.of);
    files.push(found > 0 ? await writeAgain(store, keyring, folder, { archive, ...erasing }) : archive.file);
    events += found;
  }
  return { events, files };
}

/** How many of a person's events are in the archives. @throws ArchiveProblem */
export async function countInArchives(
  db: Reader,
  folder: string,
  { of, onArchive }: Pick<Erasing, "of" | "onArchive">,
): Promise<number> {
  let count = 0;
  for (const archive of await archivesOf(db)) {
    onArchive?.(archive.month);
    count += await countIn(folder, archive, of);
  }
  return count;
}

async function countIn(folder: string, archive: Archive, of: EventsOf): Promise<number> {
  let count = 0;
  for await (const event of eventsOf(folder, archive)) if (isOf(event, of)) count += 1;
  return count;
}

/** Writes the file under a new name, so that the database's row always matches the file it names. Returns the name. */
async function writeAgain(
  store: Store,
  keyring: Keyring,
  folder: string,
  { archive, of, source, now }: Omit<Erasing, "onArchive"> & { readonly archive: Archive },
): Promise<string> {
  async function* events(): AsyncGenerator<StoredEvent> {
    for await (const event of eventsOf(folder, archive))
      yield isOf(event, of) ? { ...event, ...erased(keyring, event) } : event;
  }
  const { file, sha256 } = await writeArchive(folder, archive.month, events());
  const facts = { ...archive, file, file_sha256: sha256 };
  const isReplaced = await store.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("audit_archives")
      .set({ ...facts, ...archiveMac(keyring, facts) })
      .where("month", "=", archive.month)
      .where("file", "=", archive.file)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await audit(tx, source, now, { event: "data-erased" });
    return numUpdatedRows > 0n;
  });
  await removeArchive(folder, isReplaced ? archive.file : file);
  if (!isReplaced) throw new ArchivesChanged(`another erasure has written ${archive.month} meanwhile`);
  return file;
}

/** Whether an event is about this person. */
export function isOf({ account_id, subject }: StoredEvent, { accountId, subjects }: EventsOf): boolean {
  return (
    (accountId !== undefined && account_id === accountId) || (subject !== null && subjects.includes(subject))
  );
}
