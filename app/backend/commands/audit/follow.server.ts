import { setTimeout as wait } from "node:timers/promises";
import type { StoredEvent } from "../../services/audit/event-hash.server";
import { eventsAfter, type EventFilter } from "../../services/audit/find-events.server";
import type { Store } from "../../store/store.server";
import type { Events } from "./event-lines.server";

const PAUSE_MS = 1000;
/** On PostgreSQL an event may appear after others with larger numbers: transactions take their numbers first. */
const LOOK_BACK = 500;

/** Events, and then what is new, without end. */
export async function* follow(
  store: Store,
  filter: EventFilter,
  events: Events,
): AsyncGenerator<StoredEvent> {
  const begin = await newest(store);
  const given = new Map<string, number>();
  let last = begin;
  for await (const event of events) {
    given.set(event.id, event.seq);
    yield event;
  }
  for (;;) {
    const from = Math.max(begin, last - LOOK_BACK);
    for await (const event of eventsAfter(store.read, filter, { seq: from, id: "" })) {
      if (given.has(event.id)) continue;
      given.set(event.id, event.seq);
      last = Math.max(last, event.seq);
      yield event;
    }
    for (const [id, seq] of given) if (seq < last - LOOK_BACK) given.delete(id);
    await wait(PAUSE_MS);
  }
}

async function newest(store: Store): Promise<number> {
  const query = store.read.selectFrom("audit_events").select("seq").orderBy("seq", "desc").limit(1);
  return (await query.executeTakeFirst())?.seq ?? -1;
}
