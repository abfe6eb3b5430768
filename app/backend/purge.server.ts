import { sql, type RawBuilder } from "kysely";
import type { Limits } from "~/platform/config/limits";
import { DAY, HOUR, SECOND, type Clock } from "./clock.server";
import { runRegularly } from "./run-regularly.server";
import { idleSince } from "./services/sign-in/sessions.server";
import type { Store } from "./store/store.server";

/** Rows per statement. Small, so that requests hardly wait. */
const BATCH = 200;

interface Expired {
  readonly table: string;
  readonly key: string;
  readonly when: RawBuilder<unknown>;
}

/**
 * Rows that can be deleted now. Codes stay for a day after they expire, because their wrong tries still count. Used
 * codes stay only as long as their confirm may be repeated.
 */
function whatExpired(limits: Limits, now: number): Expired[] {
  const usedBefore = now - limits.CONFIRM_REPEAT_SECONDS * SECOND;
  const quietSince = now - limits.LOCK_FORGOTTEN_SECONDS * SECOND;
  return [
    {
      table: "sessions",
      key: "id",
      when: sql`ends_at <= ${now} or last_seen_at <= ${idleSince(limits, now)}`,
    },
    { table: "codes", key: "id", when: sql`ends_at <= ${now - DAY} or used_at <= ${usedBefore}` },
    { table: "trusted_devices", key: "id", when: sql`ends_at <= ${now}` },
    { table: "known_browsers", key: "id", when: sql`ends_at <= ${now}` },
    { table: "login_passes", key: "id", when: sql`ends_at <= ${now}` },
    { table: "windows", key: "bucket", when: sql`ends_at <= ${now}` },
    {
      table: "attempts",
      key: "subject",
      when: sql`last_at <= ${Math.min(quietSince, now - DAY)} and blocked_until <= ${now}`,
    },
    {
      table: "username_changes",
      key: "id",
      when: sql`changed_at <= ${now - limits.USERNAME_CHANGE_DAYS * DAY}`,
    },
    // Normally the SMS sender drops and logs them first; this covers installations without a sender.
    { table: "sms_queue", key: "id", when: sql`ends_at <= ${now - HOUR}` },
    { table: "outbox", key: "id", when: sql`sent_at <= ${now - DAY}` },
  ];
}

/**
 * Deletes expired rows in small batches. Returns how many, by table.
 * @param onDeleted called after each batch with the table and how many of its rows were deleted so far
 */
export async function purge(
  store: Store,
  limits: Limits,
  now: number,
  onDeleted: (table: string, rows: number) => void = () => undefined,
): Promise<Map<string, number>> {
  const deleted = new Map<string, number>();
  for (const { table, key, when } of whatExpired(limits, now)) {
    const [from, id] = [sql.table(table), sql.ref(key)];
    // The condition appears twice: a row that is renewed while the statement waits for its lock must stay.
    const batch = sql`delete from ${from} where (${when})
      and ${id} in (select ${id} from ${from} where ${when} limit ${sql.lit(BATCH)})`;
    let rows = 0;
    for (let last = BATCH; last === BATCH; ) {
      const result = await store.write((tx) => batch.execute(tx));
      last = Number(result.numAffectedRows ?? 0);
      rows += last;
      onDeleted(table, rows);
    }
    deleted.set(table, rows);
  }
  return deleted;
}

/**
 * Purges now and every few minutes, without keeping the process alive. Returns a function that stops after the current
 * round.
 */
export function purgeRegularly(
  store: Store,
  limits: Limits,
  clock: Clock,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const work = () => purge(store, limits, clock());
  const first = work().catch(onError);
  const stop = runRegularly({ work, everyMs: limits.PURGE_SECONDS * SECOND, onError });
  return async () => {
    await Promise.all([first, stop()]);
  };
}
