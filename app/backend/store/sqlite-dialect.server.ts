import { setTimeout as wait } from "node:timers/promises";
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type SelectModifierNode,
} from "kysely";
import { DatabaseUnavailable } from "./database-unavailable.server";
import type { SqliteConnection } from "./sqlite-connection.server";
import { isBusy, sqliteCodeOf } from "./sqlite-errors.server";
import { withWords } from "./sqlite-faults.server";

const RETRY_MS = 20;
const GIVE_UP_MS = 10_000;

/** Kysely's SQLite dialect, with transactions that take the write lock up front and may contain DDL. */
export function immediateSqliteDialect(database: SqliteConnection): Dialect {
  const stock = new SqliteDialect({ database });
  return {
    createDriver: () => new ImmediateDriver({ database }),
    createAdapter: () => new TransactionalDdlAdapter(),
    createQueryCompiler: () => new PortalCompiler(),
    createIntrospector: (db) => stock.createIntrospector(db),
  };
}

/** In SQLite, a transaction that reads and then writes fails if another process wrote in between. Hence IMMEDIATE. */
class ImmediateDriver extends SqliteDriver implements Driver {
  #only: DatabaseConnection | undefined;

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return (this.#only ??= withWords(connection));
  }

  /** After a disk error, SQLite has rolled back already, and complains that there is nothing to roll back. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (sqliteCodeOf(error) !== "SQLITE_ERROR") throw error;
    });
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const giveUpAt = performance.now() + GIVE_UP_MS;
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw("begin immediate"));
        return;
      } catch (error) {
        // Another process, such as an operator's command, is writing. Waiting inside SQLite would block every request.
        if (!isBusy(error)) throw error;
        if (performance.now() > giveUpAt) throw new DatabaseUnavailable("another process keeps writing");
        await wait(RETRY_MS);
      }
    }
  }
}

class PortalCompiler extends SqliteQueryCompiler {
  /** Drops `for update`: a transaction locks the whole database, so rows need no locks. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === "Distinct") super.visitSelectModifier(node);
  }

  /** SQLite looks at a bare limit when it plans, so it would prepare the statement again for every run. */
  protected override visitLimit(node: LimitNode): void {
    this.append("limit cast(");
    this.visitNode(node.limit);
    this.append(" as integer)");
  }
}

/**
 * SQLite can roll back DDL, though Kysely assumes it can't. With it, a start that is killed leaves no half-made tables.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
