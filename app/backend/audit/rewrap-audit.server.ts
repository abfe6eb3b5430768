import type { Keyring } from "../secrets/keyring.server";
import type { Store } from "../store/store.server";
import { archiveMac, isOwnArchive } from "./archives.server";
import { changeEvent } from "./events-in-order.server";
import { eventHash, isOwnErasure, vouchedHash } from "./event-hash.server";
import { hasOwnMac, macOf } from "./seal-events.server";
import { rewrapRows } from "../secrets/rewrap-rows.server";

/*
 * Moves seals, archives and erased events to the current key (S84). Any that were tampered with stay as they are, so
 * that verifying still finds them. Needs the right to change the audit. Each function returns how many it moved.
 */

/** Moves the seals. */
export const rewrapSeals = rewrapRows("audit_seals", "no", (keyring, seal) =>
  hasOwnMac(keyring, seal) ? macOf(keyring, seal) : {},
);

/** Moves the MACs of the archives; the files stay as they are. */
export const rewrapArchives = rewrapRows("audit_archives", "month", (keyring, archive) =>
  isOwnArchive(keyring, archive) ? archiveMac(keyring, archive) : {},
);

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
