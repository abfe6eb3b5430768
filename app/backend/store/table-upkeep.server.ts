import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSettings, PostgresSettings } from "~/platform/config/database-settings.server";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { DATABASE_FILE, makeFolder } from "./data-directory.server";
import { DatabaseUnavailable, type Reader } from "./store.server";
import { upgradeOf } from "./migrations/run.server";
import { bringUpToDate, rehearsePostgres } from "./postgres-migrations.server";
import { ConnectionPool } from "./postgres-pool.server";
import { asOwner, over } from "./postgres-roles.server";
import { openSqliteFile, openSqliteFileAsItIs } from "./sqlite-store.server";
import { migrateSqlite, rehearseSqlite } from "./sqlite-migrations.server";

/** The migrations of a database, which a portal may have open. (Opening a store on SQLite would run them.) */
export interface TableUpkeep {
  /**
   * The names of migrations that have not run; undefined if there is no database. Changes nothing. @throws StartRefusal
   */
  missing(): Promise<readonly string[] | undefined>;
  /** Stored policy numbers that differ only in spaces and hyphens, in groups. Needs tables. @throws StartRefusal */
  equalPolicyNos(): Promise<readonly (readonly string[])[]>;
  /**
   * Dry run: runs the missing migrations in a transaction and rolls it back. On PostgreSQL, portals wait meanwhile.
   * @throws StartRefusal
   */
  rehearse(): Promise<readonly string[]>;
  /** Runs the missing migrations. Creates the SQLite file if there is none. @throws StartRefusal */
  run(): Promise<readonly string[]>;
}

/** @param dataDir where SQLite's file is, or will be */
export function tableUpkeep(settings: DatabaseSettings, dataDir: string): TableUpkeep {
  return settings.kind === "postgres" ? upkeepOnPostgres(settings) : upkeepOnSqlite(dataDir);
}

/** Opens the database for reading, without changing anything. @throws StartRefusal */
export function openAsItIs(settings: DatabaseSettings, dataDir: string): Reader {
  return settings.kind === "postgres"
    ? over(new ConnectionPool(settings.address, settings, () => undefined))
    : openSqliteFileAsItIs(join(dataDir, DATABASE_FILE));
}

function upkeepOnPostgres(settings: PostgresSettings): TableUpkeep {
  const owned = <Value>(work: (owner: Reader) => Promise<Value>) =>
    asOwner(settings, () => undefined, work).catch((error: unknown) => {
      throw error instanceof DatabaseUnavailable ? new StartRefusal(error.message) : error;
    });
  return {
    missing: () => owned(upgradeOf),
    equalPolicyNos: () => owned(equalPolicyNos),
    rehearse: () => owned(rehearsePostgres),
    run: () =>
      owned((owner) => using(openAsItIs(settings, ""), (serving) => bringUpToDate(serving, owner, settings))),
  };
}

function upkeepOnSqlite(dataDir: string): TableUpkeep {
  const file = join(dataDir, DATABASE_FILE);
  return {
    missing: async () => (existsSync(file) ? using(openSqliteFileAsItIs(file), upgradeOf) : undefined),
    equalPolicyNos: () => using(openSqliteFileAsItIs(file), equalPolicyNos),
    rehearse: async () => using(openSqliteFileAsItIs(existsSync(file) ? file : ":memory:"), rehearseSqlite),
    run: async () => {
      makeFolder(dataDir);
      return using(openSqliteFile(file), migrateSqlite);
    },
  };
}

async function using<Value>(db: Reader, work: (db: Reader) => Promise<Value>): Promise<Value> {
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Groups of stored policy numbers with the same compared form. Only an exact spelling finds such a policy. */
async function equalPolicyNos(db: Reader): Promise<readonly (readonly string[])[]> {
  const twice = db
    .selectFrom("policies")
    .select("policy_no_compared")
    .groupBy("policy_no_compared")
    .having(({ fn }) => fn.countAll(), ">", 1);
  const rows = await db
    .selectFrom("policies")
    .select(["policy_no", "policy_no_compared"])
    .where("policy_no_compared", "in", twice)
    .orderBy("policy_no")
    .execute();
  const groups = new Map<string, string[]>();
  for (const { policy_no, policy_no_compared: form } of rows)
    groups.set(form, [...(groups.get(form) ?? []), policy_no]);
  return [...groups.values()];
}
