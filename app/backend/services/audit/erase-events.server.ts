import type { Keyring } from "../../secrets/keyring.server";
import type { Store, Tx } from "../../store/store.server";
import { removeArchive, writeArchive } from "./archive-files.server";
import { archiveMac, archivesOf, eventsOf, type Archive } from "./archives.server";
import { erased, type StoredEvent } from "./event-hash.server";

/** Whose events are erased. */
export interface EventsOf {
  readonly accountId: string | undefined;
  /** Their customer id, and keyed hashes of what they typed. */
  readonly subjects: readonly string[];
}

/**
 * Erases a person's events in the database: what happened and when stays, with a hash that the seals need (S91). Takes
 * the right to change the audit.
 * @returns how many
 */
export async function eraseEvents(tx: Tx, keyring: Keyring, of: EventsOf): Promise<number> {
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
  for (const event of found)
    await tx
      .updateTable("audit_events")
      .set(erased(keyring, event))
      .where("seq", "=", event.seq)
      .where("id", "=", event.id)
      .execute();
  return found.length;
}

/**
 * Erases a person's events in the archives: files with such events are written again. After an interruption it can be
 * called again. Takes the right to change the audit.
 * @param folder where the archives are
 * @returns how many
 * @throws ArchiveProblem if an archive can't be read
 */
export async function eraseFromArchives(
  store: Store,
  keyring: Keyring,
  folder: string,
  of: EventsOf,
): Promise<number> {
  let count = 0;
  for (const archive of await archivesOf(store.read)) {
    const found = await countIn(folder, archive, of);
    if (found > 0) await writeAgain(store, keyring, folder, { archive, of });
    count += found;
  }
  return count;
}

async function countIn(folder: string, archive: Archive, of: EventsOf): Promise<number> {
  let count = 0;
  for await (const event of eventsOf(folder, archive)) if (isOf(event, of)) count += 1;
  return count;
}

/** Under another name, so that the database's row and the file it names always fit. */
async function writeAgain(
  store: Store,
  keyring: Keyring,
  folder: string,
  { archive, of }: { readonly archive: Archive; readonly of: EventsOf },
): Promise<void> {
  async function* events(): AsyncGenerator<StoredEvent> {
    for await (const event of eventsOf(folder, archive))
      yield isOf(event, of) ? { ...event, ...erased(keyring, event) } : event;
  }
  const written = await writeArchive(folder, nextName(archive.file), events());
  const facts = { ...archive, file: written.file, file_sha256: written.sha256 };
  await store.write((tx) =>
    tx
      .updateTable("audit_archives")
      .set({ ...facts, ...archiveMac(keyring, facts) })
      .where("month", "=", archive.month)
      .execute(),
  );
  await removeArchive(folder, archive.file);
}

/** `audit-2024-11.jsonl.gz`, `audit-2024-11.2.jsonl.gz`, `audit-2024-11.3.jsonl.gz` … */
function nextName(file: string): string {
  const [name = "", number = "1"] = file.replace(/\.jsonl\.gz$/, "").split(".");
  return `${name}.${Number(number) + 1}.jsonl.gz`;
}

/** Whether an event is theirs. */
export function isOf({ account_id, subject }: StoredEvent, { accountId, subjects }: EventsOf): boolean {
  return (
    (accountId !== undefined && account_id === accountId) || (subject !== null && subjects.includes(subject))
  );
}
