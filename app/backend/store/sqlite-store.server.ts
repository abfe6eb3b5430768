import Database from "better-sqlite3";
import { Kysely, Migrator } from "kysely";
import { StartRefusal } from "../start-refusal.server";
import { makeFile } from "./data-directory.server";
import { GroupCommit } from "./group-commit.server";
import { allMigrations } from "./migrations/all.server";
import { immediateSqliteDialect } from "./sqlite-dialect.server";
import type { Store } from "./store.server";
import type { Tables } from "./tables.server";

/** "TARN" in ASCII: marks a SQLite file as the portal's. */
const APPLICATION_ID = 0x54_41_52_4e;
const BUSY_MS = 250;
/** Room for the pages of an hour's customers and the upper levels of every index. */
const CACHE_KIB = 32 * 1024;

/**
 * Opens the SQLite store and brings its tables up to date.
 * @throws StartRefusal if the file belongs to another program or a later version of the portal
 */
export async function openSqliteStore(file: string): Promise<Store> {
  const database = openOwn(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  database.pragma("temp_store = MEMORY");
  database.pragma(`cache_size = ${-CACHE_KIB}`);

  const db = new Kysely<Tables>({ dialect: immediateSqliteDialect(database) });
  await migrate(db, file);
  const group = new GroupCommit(db);
  return {
    read: db,
    write: (work) => group.run(work),
    apart: (statements) => group.run(statements),
    check: async () => {
      await db.selectFrom("facts").select("name").limit(1).execute();
    },
    close: async () => {
      await group.settled();
      await db.destroy();
    },
  };
}

function openOwn(file: string): Database.Database {
  try {
    makeFile(file);
    const database = new Database(file, { timeout: BUSY_MS });
    if (isOwn(database)) return database;
    database.close();
  } catch (error) {
    throw new StartRefusal(`${file} cannot be opened: ${(error as Error).message}`);
  }
  throw new StartRefusal(`${file} is not the portal's database: another program created it`);
}

/** A file without tables becomes ours; one with tables must carry our application id. */
function isOwn(database: Database.Database): boolean {
  if (database.pragma("application_id", { simple: true }) === APPLICATION_ID) return true;
  const tables = database.prepare("select count(*) from sqlite_schema").pluck().get();
  if (tables !== 0) return false;
  database.pragma(`application_id = ${APPLICATION_ID}`);
  return true;
}

async function migrate(db: Kysely<Tables>, file: string): Promise<void> {
  const migrations = allMigrations(inSqlite);
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  await db.destroy();
  const reason = error instanceof Error ? error.message : "unknown";
  throw new StartRefusal(`${file} could not be brought up to date: ${reason}`);
}

/** STRICT makes SQLite check types, as PostgreSQL always does; SQLite's `integer` holds whole numbers of any size. */
const inSqlite = Object.assign(
  (statement: string) => {
    const typed = statement.replaceAll(" bigint", " integer").replaceAll(" bytea", " blob");
    return statement.startsWith("create table") ? `${typed} strict` : typed;
  },
  {
    // A column that is added takes no random default.
    idsOfPolicies: [
      "alter table policies add column id text",
      "update policies set id = lower(hex(randomblob(16)))",
      `create trigger ids_of_policies after insert on policies when new.id is null begin
        update policies set id = lower(hex(randomblob(16))) where policy_no = new.policy_no;
      end`,
    ],
    // A primary key can't be changed, so the table is made again.
    sequenceOfAudit: [
      `create table audit_numbered (
        seq integer primary key autoincrement, id text not null, happened_at integer not null, event text not null,
        account_id text, subject text, purpose text, address text not null, request_id text not null,
        device_name text not null default '') strict`,
      `insert into audit_numbered (id, happened_at, event, account_id, subject, purpose, address, request_id, device_name)
        select id, happened_at, event, account_id, subject, purpose, address, request_id, device_name
        from audit_events order by id`,
      "drop table audit_events",
      "alter table audit_numbered rename to audit_events",
      "create index by_audit_events_account_id_event_happened_at on audit_events (account_id, event, happened_at)",
    ],
  },
);
