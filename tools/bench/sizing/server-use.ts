import { sql } from "kysely";
import type { Store } from "~/backend/store/store.server";
import { cpuMsOf } from "../process";

/** The work of a PostgreSQL server for one database so far. */
export interface ServerUse {
  /** Processor time of the connections that are open, in ms; the server must be on this machine. */
  readonly cpuMs: number;
  readonly transactions: number;
  /** Write-ahead log of the whole server, so nothing else may write to it. */
  readonly walBytes: number;
  /** Connections of portals. */
  readonly connections: number;
}

const NOTHING: ServerUse = { cpuMs: 0, transactions: 0, walBytes: 0, connections: 0 };

/**
 * Reads what the server has done: nothing on SQLite, whose work is done by the portal. `store` is a connection beside
 * the portal.
 */
export async function serverUse(store: Store | undefined): Promise<ServerUse> {
  if (!store || !store.read.isPostgres) return NOTHING;
  const { rows } = await sql<{ pid: number; own: boolean }>`
    select pid, pid = pg_backend_pid() as own from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'`.execute(store.read);
  const totals = await sql<{ transactions: number; wal: number }>`
    select (select xact_commit::float8 from pg_stat_database where datname = current_database()) as transactions,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`.execute(store.read);
  const others = rows.filter(({ own }) => !own);
  return {
    cpuMs: others.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
    transactions: totals.rows[0]?.transactions ?? 0,
    walBytes: totals.rows[0]?.wal ?? 0,
    connections: others.length,
  };
}
