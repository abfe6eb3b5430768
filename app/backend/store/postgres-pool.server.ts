import { createRequire } from "node:module";
import type * as Driver from "pg";
import type { DatabaseError, Pool, PoolClient, PoolConfig, TypeOverrides } from "pg";
import { createHash } from "node:crypto";
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { type ConnectionSettings } from "~/platform/config/database-settings.server";
import { type DatabaseAddress, isOnThisMachine } from "~/platform/config/database-variables.server";
import { BUILD } from "~/platform/release.server";
import { counter } from "~/platform/telemetry/metrics.server";
import { DatabaseUnavailable } from "./store.server";

const require = createRequire(import.meta.url);

/**
 * PostgreSQL's driver, loaded when it is first needed. It would cost a process on SQLite 30 ms: the driver uses the
 * global `Response`, which makes Node load its HTTP client.
 */
function postgresDriver(): typeof Driver {
  return require("pg") as typeof Driver;
}

/**
 * PostgreSQL refused a statement. The message has only the code, because the server's own message quotes data, and
 * errors are logged (S93).
 */
export class StatementRefused extends Error {
  override readonly name = "StatementRefused";
  /** SQLSTATE (PostgreSQL, Appendix A). */
  readonly code: string;

  constructor({ code = "unknown", table, constraint }: DatabaseError) {
    const where = [table, constraint].filter((part) => part !== undefined).join(", ");
    super(`PostgreSQL refused a statement: ${code}${where === "" ? "" : ` (${where})`}`);
    this.code = code;
  }
}

/** A failed statement, and whether its connection is still usable. */
export interface Failure {
  readonly error: DatabaseUnavailable | StatementRefused;
  readonly isLost: boolean;
}

/**
 * The connection is of no more use:
 * - the server closes it (57P: shutting down; 08: protocol; 25P03: idle for too long)
 * - or doesn't accept it (28: role or password; 3D: no such database; 53300: too many)
 * - or has become read-only (25006)
 * - its prepared statements are useless (0A000: a later version has changed the table; 26000: the statement is gone)
 */
const CONNECTION_LOST = /^(57P..|08...|28...|3D...|25P03|25006|53300|0A000|26000)$/;
/** A statement or a lock took too long, or the system ran out of memory, disk or the like. */
const OUT_OF_RESOURCES = /^(57014|55P03|53...|58...)$/;

/** SQLSTATE: read_only_sql_transaction, disk_full, io_error. */
const TAKES_NO_WRITES: ReadonlySet<string> = new Set(["25006", "53100", "58030"]);
/** SQLSTATE: insufficient_privilege. */
export const NOT_ALLOWED = "42501";

/** Tells a refused statement from an unavailable database. Any error that isn't the server's own means unavailable. */
function failureOf(error: unknown): Failure {
  if (!(error instanceof postgresDriver().DatabaseError))
    return { error: unavailable(codeOf(error)), isLost: true };
  const code = error.code ?? "unknown";
  if (CONNECTION_LOST.test(code)) return { error: unavailable(code), isLost: true };
  if (OUT_OF_RESOURCES.test(code)) return { error: unavailable(code), isLost: false };
  return { error: new StatementRefused(error), isLost: false };
}

function unavailable(code: string): DatabaseUnavailable {
  const takesNoWrites = TAKES_NO_WRITES.has(code);
  return new DatabaseUnavailable(`PostgreSQL cannot be used now: ${WORDS[code] ?? code}`, { takesNoWrites });
}

/** Problems an operator can fix, in words; never with a host, a role or a password. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "its host name could not be resolved",
  EAI_AGAIN: "its host name could not be resolved temporarily",
  ENOENT: "the socket does not exist",
  "28000": "it refuses the role",
  "28P01": "it refuses the role or its password",
  "3D000": "it has no such database",
  "25006": "it takes no writes",
  "53100": "its disk is full",
  "53200": "it is out of memory",
  "53300": "it has no connections left",
  "58030": "its disk fails",
  "0A000": "its tables have changed",
  "57P03": "it is starting or stopping",
  "57014": "a statement took too long",
  "55P03": "a lock took too long",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate cannot be verified (DATABASE_CA_FILE)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate cannot be verified (DATABASE_CA_FILE)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified (DATABASE_CA_FILE)",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate cannot be verified (DATABASE_CA_FILE)",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  CERT_HAS_EXPIRED: "its certificate has expired",
};

/** Node's error code, or our own words. Neither contains connection settings. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  // Node tries every address of a host and collects the errors.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error.message.includes("timeout")) return "it did not answer in time";
  return error.message.includes("SSL") ? "it offers no TLS (DATABASE_TLS)" : "the connection was closed";
}

/** The name of a serving portal's connections in the server's list. */
export const PORTAL_CONNECTION = "portal";
/** The most statements that a connection keeps prepared. */
const MOST_PREPARED = 200;
/** Statements whose plan is worth keeping. Migrations have many others, which would use up the names. */
const PLANNED = /^(select|insert|update|delete|with)\b/;
/** Normally the server reports the timeout first. If it doesn't, we give up this much later. */
const GRACE_MS = 500;
/** A connection is closed after being idle for this long. */
const IDLE_MS = 5 * 60 * 1000;

/** `refused` includes conflicts between two transactions, which are retried. */
const databaseErrors = counter(
  { name: "portal_database_errors_total", help: "Queries and connections that failed, by kind" },
  { kind: ["unavailable", "refused"] },
);

/**
 * A connection pool for Kysely. A connection that broke or timed out is closed and not reused, because its next answer
 * could belong to an earlier query. Until it is closed, queries on it fail at once.
 */
export class ConnectionPool implements PostgresPool {
  readonly #pool: Pool;
  #inUse = 0;
  #whenUnused: (() => void) | undefined;

  /** @param onLost called when an idle connection breaks; nothing needs to be done */
  constructor(address: DatabaseAddress, options: ConnectionSettings, onLost: (error: unknown) => void) {
    this.#pool = new (postgresDriver().Pool)(configOf(address, options));
    // Without a listener the error would end the process.
    this.#pool.on("error", (error) => {
      onLost(counted(error).error);
    });
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  /** @throws DatabaseUnavailable */
  async connect(): Promise<PostgresPoolClient> {
    this.#inUse += 1;
    try {
      return new Connection(await this.#pool.connect(), () => {
        this.#leave();
      });
    } catch (error) {
      this.#leave();
      throw counted(error).error;
    }
  }

  load(): { readonly inUse: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    // pg also counts queries that get an idle connection in the next tick, such as this scrape's own.
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: Math.max(0, waitingCount - idleCount) };
  }

  /** Closes the pool once all connections are back, including connections that queries still wait for. */
  async end(): Promise<void> {
    if (this.#inUse > 0) await new Promise<void>((resolve) => (this.#whenUnused = resolve));
    await this.#pool.end();
  }

  #leave(): void {
    this.#inUse -= 1;
    if (this.#inUse === 0) this.#whenUnused?.();
  }
}

class Connection implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #left: () => void;
  #lost: Error | undefined;

  constructor(client: PoolClient, left: () => void) {
    this.#client = client;
    this.#left = left;
  }

  /** @throws DatabaseUnavailable, StatementRefused */
  query<Row>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): never;
  query<Row>(
    text: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> {
    if (typeof text !== "string") throw new Error("the store does not support streaming");
    return this.#run<Row>(text, parameters);
  }

  async #run<Row>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (this.#lost) throw this.#lost;
    const query = { name: nameOf(text), text, values: [...parameters] };
    const result = await this.#client.query(query).catch((error: unknown) => {
      const failure = counted(error);
      if (failure.isLost) this.#lost = failure.error;
      throw failure.error;
    });
    // PostgreSQL doesn't reject the commit of a failed transaction: it answers ROLLBACK.
    if (text === "commit" && result.command === "ROLLBACK")
      throw new Error("a failed transaction was committed");
    return result as unknown as PostgresQueryResult<Row>;
  }

  release(): void {
    const isLost = this.#lost !== undefined;
    this.#lost ??= new Error("a statement ran after its work had ended");
    this.#client.release(isLost);
    this.#left();
  }
}

function counted(error: unknown): Failure {
  const failure = failureOf(error);
  const isDown = failure.error instanceof DatabaseUnavailable;
  databaseErrors.inc({ kind: isDown ? "unavailable" : "refused" });
  return failure;
}

const names = new Map<string, string>();

/**
 * The name under which a connection keeps a statement prepared, because planning costs as much as running. Once there
 * are too many (commands with lists of any length), further statements go unprepared. The name is a hash of the text:
 * behind a pooler, another process may have prepared a statement under that name, and it must be the same one.
 */
function nameOf(text: string): string | undefined {
  if (!PLANNED.test(text)) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_PREPARED) return known;
  const name = `portal_${createHash("sha256").update(text).digest("base64url")}`;
  names.set(text, name);
  return name;
}

function configOf(address: DatabaseAddress, options: ConnectionSettings): PoolConfig {
  const { statements } = options;
  return {
    ...address,
    ssl: tlsOf(address, options),
    max: options.connections,
    connectionTimeoutMillis: options.connectMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    // One stays open, so that `portal doctor` sees which build is at work here, however little there is to do.
    min: 1,
    application_name: `${options.connectionName ?? PORTAL_CONNECTION} (${BUILD})`,
    types: wholeNumbers(),
    ...(statements && {
      statement_timeout: statements.queryMs,
      query_timeout: statements.queryMs + GRACE_MS,
      lock_timeout: statements.lockMs,
      idle_in_transaction_session_timeout: statements.idleTransactionMs,
    }),
  };
}

function tlsOf(address: DatabaseAddress, { tls, ca }: ConnectionSettings): PoolConfig["ssl"] {
  const chosen = tls ?? (isOnThisMachine(address) ? "off" : "verify");
  // PostgreSQL offers no TLS on a Unix socket, where no one can eavesdrop.
  if (chosen === "off" || address.host.startsWith("/")) return false;
  return { rejectUnauthorized: chosen === "verify", ...(ca !== undefined && { ca }) };
}

/**
 * By default the driver returns 64-bit integers as text, in case they exceed JavaScript's range. Our times (ms) and
 * counts don't.
 */
function wholeNumbers(): TypeOverrides {
  const { TypeOverrides, types } = postgresDriver();
  const parsers = new TypeOverrides();
  for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) parsers.setTypeParser(type, Number);
  return parsers;
}
