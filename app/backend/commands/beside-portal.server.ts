import { existsSync } from "node:fs";
import { join } from "node:path";
import { environment } from "~/platform/environment.server";
import { readOrMakeKeyFile } from "../secrets/key-file.server";
import { makeKeyring, type Keyring } from "../secrets/keyring.server";
import { StartRefusal } from "../start-refusal.server";
import { checkKeys } from "../store/key-check.server";
import { checkMode } from "../store/mode-check.server";
import { openSqliteStore } from "../store/sqlite-store.server";
import type { Store } from "../store/store.server";

/** How a command speaks to whoever called it, line by line. */
export interface Voice {
  readonly say: (line: string) => void;
  /** What went wrong. */
  readonly complain: (line: string) => void;
}

/**
 * Works in the database of the portal that has these variables, with its keys. The portal may be serving meanwhile.
 * @throws StartRefusal when there is no database, or the keys don't fit
 */
export async function besidePortal<Value>(
  work: (store: Store, keyring: Keyring) => Promise<Value>,
): Promise<Value> {
  const { PORTAL_MODE, DATA_DIR, DATA_KEYS } = environment();
  const file = join(DATA_DIR, "portal.db");
  if (!existsSync(file)) throw new StartRefusal(`${DATA_DIR} holds no database`);
  const keyring = DATA_KEYS ? makeKeyring(DATA_KEYS) : readOrMakeKeyFile(join(DATA_DIR, "keys.json"), file);
  const store = await openSqliteStore(file);
  try {
    await checkMode(store, PORTAL_MODE);
    await checkKeys(store, keyring);
    return await work(store, keyring);
  } finally {
    await store.close();
  }
}
