import type { Reader, Tx } from "../store/store.server";
import type { StoredEvent } from "./event-hash.server";

const PAGE = 5000;

/** An event's position in the audit. On PostgreSQL, events from before numbering all have number 0. */
export type Position = Pick<StoredEvent, "seq" | "id">;

/** The order of the audit: negative if the first comes before the second. */
export function byPosition(one: Position, other: Position): number {
  return one.seq - other.seq || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

/** The database's events in order, read in pages: numbers above `after`, up to `through`. */
export async function* eventsInOrder(
  db: Reader,
  { after, through }: { readonly after: number; readonly through: number },
): AsyncGenerator<StoredEvent> {
  let last: Position | undefined;
  for (;;) {
    const page = await pageOf(db, last ?? { seq: after + 1, id: "" }, through);
    yield* page;
    last = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** Two queries: with one, each page would read all events with the same number again. */
async function pageOf(db: Reader, from: Position, through: number): Promise<StoredEvent[]> {
  const events = db.selectFrom("audit_events").selectAll().orderBy("seq").orderBy("id");
  const same = await events
    .where("seq", "=", from.seq)
    .where("id", ">", from.id)
    .where("seq", "<=", through)
    .limit(PAGE)
    .execute();
  if (same.length === PAGE) return same;
  const rest = PAGE - same.length;
  const next = await events.where("seq", ">", from.seq).where("seq", "<=", through).limit(rest).execute();
  return [...same, ...next];
}

/** Changes columns of a stored event. Needs the right to change the audit. */
export async function changeEvent(
  tx: Tx,
  { seq, id }: Position,
  columns: Partial<StoredEvent>,
): Promise<void> {
  await tx.updateTable("audit_events").set(columns).where("seq", "=", seq).where("id", "=", id).execute();
}
