import { createHash } from "node:crypto";
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { Pool, TypeOverrides, types, type PoolClient, type PoolConfig } from "pg";
import type { ConnectionSettings } from "~/platform/database-settings.server";
import { isOnThisMachine, type DatabaseAddress } from "~/platform/database-variables.server";
import { metrics } from "~/platform/metrics.server";
import { DatabaseUnavailable } from "./database-unavailable.server";
import { failureOf, type Failure } from "./postgres-errors.server";

/** Statements that each connection keeps prepared, at most. */
const MOST_PREPARED = 200;
/** The server says first that it took too long; who never hears from it gives up a little later. */
const GRACE_MS = 500;
/** A connection that nobody needed for so long is closed. */
const IDLE_MS = 5 * 60 * 1000;

/**
 * A pool of connections, as Kysely wants it. A connection whose server didn't answer in time, or that broke, is closed
 * and not reused: its next answer could belong to an earlier query. Until it is closed, queries on it fail at once.
 */
export class ConnectionPool implements PostgresPool {
  readonly #pool: Pool;
  #inUse = 0;
  #whenUnused: (() => void) | undefined;

  /** `onLost` hears of connections that broke while nobody used them: nothing is to be done about it. */
  constructor(address: DatabaseAddress, options: ConnectionSettings, onLost: (error: unknown) => void) {
    this.#pool = new Pool(configOf(address, options));
    // Without a listener Node would end the process.
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

  /** How busy its connections are. */
  load(): { readonly inUse: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Waits for whoever has a connection, or waits for one. */
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
    if (typeof text !== "string") throw new Error("the store streams nothing");
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
    // PostgreSQL doesn't refuse to commit what has failed before: it says that it has undone it.
    if (text === "commit" && result.command === "ROLLBACK")
      throw new Error("a failed transaction was committed");
    return result as unknown as PostgresQueryResult<Row>;
  }

  release(): void {
    this.#client.release(this.#lost !== undefined);
    this.#left();
  }
}

function counted(error: unknown): Failure {
  const failure = failureOf(error);
  const isDown = failure.error instanceof DatabaseUnavailable;
  metrics().databaseErrors.inc({ kind: isDown ? "unavailable" : "refused" });
  return failure;
}

const names = new Map<string, string>();

/**
 * A name under which a connection keeps a statement prepared: planning it costs as much as running it. There are few
 * different ones; those of a command with lists of any length go without. Made of the text: behind a pooler the name
 * may meet what another process has prepared, which must be the same.
 */
function nameOf(text: string): string | undefined {
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
    application_name: "portal",
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
  // PostgreSQL offers no TLS on a socket: nobody can listen there.
  if (chosen === "off" || address.host.startsWith("/")) return false;
  return { rejectUnauthorized: chosen === "verify", ...(ca !== undefined && { ca }) };
}

/** Whole numbers come as text, for they might be larger than JavaScript's: times in ms and counts are not. */
function wholeNumbers(): TypeOverrides {
  const parsers = new TypeOverrides();
  for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) parsers.setTypeParser(type, Number);
  return parsers;
}
