import type { DatabaseAddress } from "./database-variables.server";
import type { Environment } from "./environment.server";

/** Which database the embedded backend keeps its data in: a file of its own, or a server that portals share. */
export type DatabaseSettings =
  | { readonly kind: "sqlite" }
  | ({ readonly kind: "postgres" } & PostgresSettings);

/** Where PostgreSQL is, and how it is used. */
export interface PostgresSettings extends ConnectionSettings {
  readonly kind: "postgres";
  readonly address: DatabaseAddress;
  /** Whose role may change the tables; without it that of `address`. */
  readonly migrationAddress?: DatabaseAddress | undefined;
}

/** How connections are made and used. Times in ms. */
export interface ConnectionSettings {
  /** How many there are at most. */
  readonly connections: number;
  /** Without it: `verify`, and `off` on this machine. */
  readonly tls?: "verify" | "no-verify" | "off" | undefined;
  /** Certificates (PEM) to verify the server's with, instead of the well-known ones. */
  readonly ca?: string | undefined;
  /** Getting a connection, a new one or one from the pool. */
  readonly connectMs: number;
  /** Undefined: a statement may take as long as it likes. */
  readonly statements?: StatementTimes | undefined;
}

/** How long a statement may take, wait for a lock, and how long a transaction may do nothing. In ms. */
export interface StatementTimes {
  readonly queryMs: number;
  readonly lockMs: number;
  readonly idleTransactionMs: number;
}

/** SQLite, unless `DATABASE_URL` says where a PostgreSQL is. */
export function databaseSettings({ DATABASE_URL, limits, ...settings }: Environment): DatabaseSettings {
  if (!DATABASE_URL) return { kind: "sqlite" };
  return {
    kind: "postgres",
    address: DATABASE_URL,
    migrationAddress: settings.MIGRATION_DATABASE_URL,
    connections: settings.DATABASE_POOL,
    tls: settings.DATABASE_TLS,
    ca: settings.DATABASE_CA_FILE,
    connectMs: limits.DATABASE_CONNECT_MS,
    statements: {
      queryMs: limits.DATABASE_QUERY_MS,
      lockMs: limits.DATABASE_LOCK_MS,
      idleTransactionMs: limits.DATABASE_IDLE_TRANSACTION_MS,
    },
  };
}
