import type { Tx } from "../../store/store.server";
import type { StoredEvent } from "./event-hash.server";
import type { Position } from "./events-in-order.server";

/** Changes columns of a stored event. Needs the right to change the audit. */
export async function changeEvent(
  tx: Tx,
  { seq, id }: Position,
  columns: Partial<StoredEvent>,
): Promise<void> {
  await tx.updateTable("audit_events").set(columns).where("seq", "=", seq).where("id", "=", id).execute();
}
