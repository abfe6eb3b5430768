import type { Keyring } from "~/backend/secrets/keyring.server";
import type { Store } from "~/backend/store/store.server";
import { archiveMac, archivesOf, isOwnArchive } from "~/backend/services/audit/archives.server";
import { changeEvent } from "~/backend/services/audit/events-in-order.server";
import { eventHash, isOwnErasure, vouchedHash } from "~/backend/services/audit/event-hash.server";
import { hasOwnMac, macOf } from "~/backend/services/audit/seal-events.server";

/** Small, so that a running portal hardly waits. */
const BATCH = 500;

/*
 * Moves seals, archives and erased events to the current key (S84). Any that were tampered with stay as they are, so
 * that verifying still finds them. Needs the right to change the audit. Each function returns how many it moved.
 */

/** Moves the seals. */
export async function rewrapSeals(store: Store, keyring: Keyring): Promise<number> {
  let changed = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const seals = await store.read
      .selectFrom("audit_seals")
      .selectAll()
      .where("key_version", "<>", keyring.current)
      .where("no", ">", after)
      .orderBy("no")
      .limit(BATCH)
      .execute();
    const own = seals.filter((seal) => hasOwnMac(keyring, seal));
    await store.write(async (tx) => {
      for (const seal of own)
        await tx.updateTable("audit_seals").set(macOf(keyring, seal)).where("no", "=", seal.no).execute();
    });
    changed += own.length;
    after = seals.at(-1)?.no;
  }
  return changed;
}

/** Moves the MACs of the archives; the files stay as they are. */
export async function rewrapArchives(store: Store, keyring: Keyring): Promise<number> {
  const older = (await archivesOf(store.read)).filter(
    (archive) => archive.key_version !== keyring.current && isOwnArchive(keyring, archive),
  );
  await store.write(async (tx) => {
    for (const archive of older)
      await tx
        .updateTable("audit_archives")
        .set(archiveMac(keyring, archive))
        .where("month", "=", archive.month)
        .where("file_sha256", "=", archive.file_sha256)
        .execute();
  });
  return older.length;
}

/** Moves the MACs of erased events. */
export async function rewrapErased(store: Store, keyring: Keyring): Promise<number> {
  const older = await store.read
    .selectFrom("audit_events")
    .selectAll()
    .where("erased_hash", "is not", null)
    .where("erased_hash", "not like", `${keyring.current}.%`)
    .execute();
  const own = older.filter((event) => isOwnErasure(keyring, event));
  await store.write(async (tx) => {
    for (const event of own)
      await changeEvent(tx, event, { erased_hash: vouchedHash(keyring, event, eventHash(event)) });
  });
  return own.length;
}
