import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { levels } from "~/platform/telemetry/metrics.server";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import {
  DatabaseUnavailable,
  failLoudly,
  Overtaken,
  tryWriting,
  type Reader,
  Writability,
  type ReportFailure,
  runWork,
  type Store,
  type Tx,
} from "./store.server";
import { ConnectionPool, StatementRefused } from "./postgres-pool.server";
import { over } from "./postgres-roles.server";
import { requireTables } from "./require-tables.server";

/**
 * The server rolled the transaction back because of another one: a serialization failure, a deadlock, or a key that was
 * just taken, which the work will see on its next run.
 */
const RETRYABLE: ReadonlySet<string> = new Set(["40001", "40P01", "23505"]);
const MOST_TRIES = 5;
const LONGEST_PAUSE_MS = 20;

const poolLevels = levels({
  inUse: { name: "portal_database_connections_in_use", help: "Pool connections in use" },
  idle: { name: "portal_database_connections_idle", help: "Idle pool connections" },
  waiting: { name: "portal_database_waiting", help: "Queries waiting for a connection" },
});

/**
 * Opens the store on PostgreSQL. Any number of processes may do so at once.
 * @param onLost called when an idle connection breaks
 * @param report called for after-commit actions that fail
 * @throws TablesOutdated if the tables lack migrations; StartRefusal if the server can't be reached, or a later version
 *   has changed the tables too much
 */
export async function openPostgresStore(
  settings: PostgresSettings,
  onLost: (error: unknown) => void,
  report = failLoudly,
): Promise<Store> {
  const pool = new ConnectionPool(settings.address, settings, onLost);
  poolLevels.feed(() => pool.load());
  const db = over(pool);
  try {
    await requireDurableCommits(db);
    await requireTables(db);
  } catch (error) {
    await db.destroy();
    throw error instanceof DatabaseUnavailable ? new StartRefusal(error.message) : error;
  }
  const writability = new Writability();
  return {
    read: db,
    write: (work) => writability.watch(write(db, work, report)),
    check: async () => {
      writability.requireNoRefusal();
      await requireTables(db);
      await tryWriting(db);
    },
    close: () => db.destroy(),
  };
}

/**
 * Retries work that the server or the work itself rolled back. Never retries after a lost connection, because then the
 * work may have been committed.
 */
async function write<Value>(
  db: Reader,
  work: (tx: Tx) => Promise<Value>,
  report: ReportFailure,
): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      const ran = await db
        .transaction()
        .setIsolationLevel("read committed")
        .execute((tx) => runWork(tx, db, work));
      ran.committed(report);
      return ran.value;
    } catch (error) {
      const canRetry =
        error instanceof Overtaken || (error instanceof StatementRefused && RETRYABLE.has(error.code));
      if (!canRetry || tries === MOST_TRIES) throw error;
      await wait(Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

/** A change that a customer was told is done must survive a crash of the server. */
async function requireDurableCommits(db: Reader): Promise<void> {
  const { rows } = await sql<{ mode: string }>`select current_setting('synchronous_commit') as mode`.execute(
    db,
  );
  if (rows[0]?.mode === "off")
    throw new StartRefusal("PostgreSQL may lose committed data: synchronous_commit is off");
}
