import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { Store } from "./store.server";

const RETRY_MS = 50;
const GIVE_UP_MS = 10_000;

/**
 * Runs work, and leaves nothing of what it deletes in SQLite's files: deleted data is overwritten, and the log, which
 * still holds it, is emptied. On PostgreSQL the server's `vacuum` does that in due course.
 * @returns what the work returned, and whether the log could be emptied, which readers can prevent
 */
export async function scrubbing<Value>(
  store: Store,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly isScrubbed: boolean }> {
  if (store.read.isPostgres) return { value: await work(), isScrubbed: true };
  await sql`pragma secure_delete = on`.execute(store.read);
  const value = await work();
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await emptiedLog(store))) {
    if (performance.now() > giveUpAt) return { value, isScrubbed: false };
    await wait(RETRY_MS);
  }
  return { value, isScrubbed: true };
}

async function emptiedLog(store: Store): Promise<boolean> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store.read);
  return rows[0]?.busy === 0;
}
