import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { systemClock } from "~/platform/time.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Store } from "../store/store.server";
import { maySeal, sealEvents } from "./seal-events.server";

/** @throws StartRefusal if the role of the connection may not seal the audit */
export async function requireSealingRole(store: Store): Promise<void> {
  if (!(await maySeal(store.read)))
    throw new StartRefusal(
      "this role may not seal the audit: name it in AUDIT_DATABASE_ROLE, and run portal migrate",
    );
}

/** Seals the new events of the audit. @returns how many */
export function sealAudit(store: Store, keyring: Keyring): Promise<number> {
  return sealEvents(store, keyring, systemClock);
}
