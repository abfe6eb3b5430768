import { setTimeout as wait } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { ConnectionSettings, PostgresSettings } from "~/platform/database-settings.server";
import type { DatabaseAddress } from "~/platform/database-variables.server";
import { metrics } from "~/platform/metrics.server";
import { StartRefusal } from "../start-refusal.server";
import { runApart, runWork } from "./after-commit.server";
import { DatabaseUnavailable } from "./database-unavailable.server";
import { missingMigrations } from "./migrations/state.server";
import { StatementRefused } from "./postgres-errors.server";
import { bringUpToDate } from "./postgres-migrations.server";
import { ConnectionPool } from "./postgres-pool.server";
import type { Store, Tx } from "./store.server";
import type { Tables } from "./tables.server";

/**
 * The server undid the transaction for the sake of another one: a serialization failure, a deadlock, or a key that
 * somebody else has just taken, which the work finds taken when it looks again.
 */
const RETRYABLE: ReadonlySet<string> = new Set(["40001", "40P01", "23505"]);
const MOST_TRIES = 5;
const LONGEST_PAUSE_MS = 20;

/**
 * Opens the store on PostgreSQL, and brings its tables up to date. Any number of processes may do so at once.
 * @throws StartRefusal when it can't be reached, its tables can't be brought up to date, or are of a later version
 */
export async function openPostgresStore(
  settings: PostgresSettings,
  onLost: (error: unknown) => void,
): Promise<Store> {
  const poolAt = (address: DatabaseAddress, how: ConnectionSettings) =>
    new ConnectionPool(address, how, onLost);
  const pool = poolAt(settings.address, settings);
  metrics().databasePool.feed(() => pool.load());
  const db = over(pool);
  try {
    await requireDurableCommits(db);
    // As long as it takes: a large table is changed, or another process is at it.
    const patient = { ...settings, connections: 1, statements: undefined };
    const owner = over(poolAt(settings.migrationAddress ?? settings.address, patient));
    await bringUpToDate(db, owner).finally(() => owner.destroy());
  } catch (error) {
    await db.destroy();
    throw error instanceof DatabaseUnavailable ? new StartRefusal(error.message) : error;
  }
  return {
    read: db,
    write: (work) => write(db, work),
    apart: async (statements) => {
      const { value, committed } = await runApart(db, statements);
      committed();
      return value;
    },
    check: async () => {
      const missing = await missingMigrations(db);
      if (missing.length > 0) throw new Error(`the tables are not up to date: ${missing.join(", ")}`);
    },
    close: () => db.destroy(),
  };
}

function over(pool: ConnectionPool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Repeats what the server undid. What may have been committed is never repeated: its connection is lost then. */
async function write<Value>(db: Kysely<Tables>, work: (tx: Tx) => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      const worked = await db
        .transaction()
        .setIsolationLevel("read committed")
        .execute((tx) => runWork(tx, work));
      worked.committed();
      return worked.value;
    } catch (error) {
      const isWorthIt = error instanceof StatementRefused && RETRYABLE.has(error.code);
      if (!isWorthIt || tries === MOST_TRIES) throw error;
      await wait(Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

/** What a customer was told is done must outlive a crash of the server. */
async function requireDurableCommits(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ mode: string }>`select current_setting('synchronous_commit') as mode`.execute(
    db,
  );
  if (rows[0]?.mode === "off")
    throw new StartRefusal("PostgreSQL may lose what it has committed: synchronous_commit is off");
}
