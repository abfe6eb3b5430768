import type { DatabaseAddress } from "./database-variables.server";
import type { Environment } from "./environment.server";

/** The embedded backend's database: its own file, or a server that several portals share. */
export type DatabaseSettings =
  | { readonly kind: "sqlite" }
  | ({ readonly kind: "postgres" } & PostgresSettings);

export interface PostgresSettings extends ConnectionSettings {
  readonly kind: "postgres";
  readonly address: DatabaseAddress;
  /** An address whose role may change the tables; defaults to `address`. */
  readonly migrationAddress?: DatabaseAddress | undefined;
  /** The role that seals the audit, if it is not the tables' owner. */
  readonly auditRole?: string | undefined;
  /** The role of the help desk's pages. */
  readonly helpDeskRole?: string | undefined;
}

/** How connections are made and used. Times in ms. */
export interface ConnectionSettings {
  /** The most open at once. */
  readonly connections: number;
  /** The connections' name in the server's list. Default: that of a serving portal. */
  readonly connectionName?: string | undefined;
  /** Default: `off` on this machine, `verify` elsewhere. */
  readonly tls?: "verify" | "no-verify" | "off" | undefined;
  /** CA certificates (PEM) to verify the server's certificate with, instead of the default ones. */
  readonly ca?: string | undefined;
  /** How long to wait for a connection, new or from the pool. */
  readonly connectMs: number;
  /** Undefined: no time limits. */
  readonly statements?: StatementTimes | undefined;
}

/** How long a statement may run or wait for a lock, and how long a transaction may be idle. In ms. */
interface StatementTimes {
  readonly queryMs: number;
  readonly lockMs: number;
  readonly idleTransactionMs: number;
}

/** PostgreSQL if `DATABASE_URL` is set, otherwise SQLite. */
export function databaseSettings({ DATABASE_URL, limits, ...settings }: Environment): DatabaseSettings {
  if (!DATABASE_URL) return { kind: "sqlite" };
  return {
    kind: "postgres",
    address: DATABASE_URL,
    migrationAddress: settings.MIGRATION_DATABASE_URL,
    auditRole: settings.AUDIT_DATABASE_ROLE,
    helpDeskRole: settings.HELP_DESK_DATABASE_ROLE,
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
