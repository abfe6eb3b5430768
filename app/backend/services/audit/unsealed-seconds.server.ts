import { SECOND, type Clock } from "../../clock.server";
import type { Reader } from "../../store/store.server";
import { lastSeal } from "./seal-events.server";

/**
 * How long the oldest event without a seal has waited for one, in seconds; 0 if there is none. Two look-ups by an index,
 * however many events there are.
 */
export async function unsealedSeconds(db: Reader, clock: Clock): Promise<number> {
  const sealed = (await lastSeal(db))?.through_seq ?? -1;
  const oldest = await db
    .selectFrom("audit_events")
    .select("happened_at")
    .where("seq", ">", sealed)
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return oldest ? Math.max(0, clock() - oldest.happened_at) / SECOND : 0;
}
