import { existsSync } from "node:fs";
import { join } from "node:path";
import { readOrMakeKeyFile } from "../secrets/key-file.server";
import { rewrapDocumentPassword } from "../secrets/document-password.server";
import type { Keyring } from "../secrets/keyring.server";
import { StartRefusal } from "../start-refusal.server";
import { checkKeys } from "../store/key-check.server";
import { openSqliteStore } from "../store/sqlite-store.server";
import type { Store } from "../store/store.server";

/** Small, so that a portal that is serving meanwhile hardly waits. */
const BATCH = 50;

/**
 * Wraps the data keys of all document passwords with the current key, so that older ones can be retired (S84). Runs
 * beside a portal that serves; what is changed meanwhile is left as it became. Gives the number of records changed.
 */
export async function rewrapDocumentPasswords(store: Store, keyring: Keyring): Promise<number> {
  let rewrapped = 0;
  for (;;) {
    const batch = await store.write(async (tx) => {
      const rows = await tx
        .selectFrom("document_passwords")
        .select(["account_id", "key_version", "wrapped_key", "password_sealed"])
        .where("key_version", "<>", keyring.current)
        .limit(BATCH)
        .execute();
      for (const { account_id, key_version, wrapped_key, password_sealed } of rows) {
        const kept = { keyVersion: key_version, wrappedKey: wrapped_key, sealed: password_sealed };
        const { keyVersion, wrappedKey } = rewrapDocumentPassword(keyring, account_id, kept);
        await tx
          .updateTable("document_passwords")
          .set({ key_version: keyVersion, wrapped_key: wrappedKey })
          .where("account_id", "=", account_id)
          .where("wrapped_key", "=", wrapped_key)
          .execute();
      }
      return rows.length;
    });
    rewrapped += batch;
    if (batch < BATCH) return rewrapped;
  }
}

/** The same for the database and the keys of a data directory. @throws StartRefusal when there are none, or they don't fit */
export async function rewrapInDirectory(dataDir: string): Promise<number> {
  const file = join(dataDir, "portal.db");
  if (!existsSync(file)) throw new StartRefusal(`${dataDir} holds no database`);
  const keyring = readOrMakeKeyFile(join(dataDir, "keys.json"), file);
  const store = await openSqliteStore(file);
  try {
    await checkKeys(store, keyring);
    return await rewrapDocumentPasswords(store, keyring);
  } finally {
    await store.close();
  }
}
