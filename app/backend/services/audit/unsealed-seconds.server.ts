import { SECOND, type Clock } from "../../clock.server";
import type { Reader } from "../../store/store.server";
import { lastSeal } from "./seal-events.server";

/**
 * How many seconds the oldest unsealed event has been waiting; 0 if all are sealed. Two index look-ups, however many
 * events there are.
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
