import { randomBytes } from "node:crypto";
import { describe } from "vitest";
import { databaseSettings, type PostgresSettings } from "~/platform/config/database-settings.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { databaseWithTables } from "./database-with-tables";
import { atEndOfFile } from "./end-of-file";
import { addressOf, connectionsTo, hasPostgres, onServer } from "./postgres-server";
import { IS_RELEASE } from "./release-run";

export { hasPostgres, onServer } from "./postgres-server";

/** The databases a portal can use. */
export type DatabaseKind = "sqlite" | "postgres";

/** A test's own PostgreSQL database, dropped at the end of the test file at the latest. */
export interface TestDatabase {
  /** The address to give to a portal. */
  readonly url: string;
  readonly name: string;
  /** Runs statements as the server's owner, on any of its connections; `?` stands for a parameter, as in SQLite. */
  query(text: string, ...parameters: unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

const made = new Set<TestDatabase>();
atEndOfFile("databases", async () => {
  await Promise.all([...made].map((database) => database.drop()));
});

/** Runs the same tests on SQLite and on PostgreSQL. */
export function onEachDatabase(promises: (kind: DatabaseKind) => void): void {
  describe("on SQLite", () => {
    promises("sqlite");
  });
  describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
    promises("postgres");
  });
}

/**
 * Runs tests of races: on PostgreSQL, where several writers meet, or on SQLite where there is no PostgreSQL; before a release
 * on both. A race whose statement differs by database takes `onEachDatabase`.
 */
export function onRacingDatabase(promises: (kind: DatabaseKind) => void): void {
  if (IS_RELEASE) onEachDatabase(promises);
  else promises(hasPostgres ? "postgres" : "sqlite");
}

/**
 * Runs all other tests: on SQLite, and before a release on PostgreSQL, too. The contract, the store, migrations, roles and
 * backups take `onEachDatabase`.
 */
export function onAnyDatabase(promises: (kind: DatabaseKind) => void): void {
  if (IS_RELEASE) onEachDatabase(promises);
  else promises("sqlite");
}

/** Makes a database with the portal's tables. This is slow, so reuse one where possible. */
export async function makeDatabase(): Promise<TestDatabase> {
  return makeFrom(await databaseWithTables());
}

/** Makes a database without tables. */
export function makeBareDatabase(): Promise<TestDatabase> {
  return makeFrom("template0");
}

async function makeFrom(template: string): Promise<TestDatabase> {
  const name = `portal_test_${randomBytes(6).toString("hex")}`;
  await onServer(`create database ${name} template ${template}`);
  const url = addressOf(name);
  const connections = connectionsTo(url);
  const database: TestDatabase = {
    url,
    name,
    query: async (text, ...parameters) => {
      const { rows } = await connections.query<Record<string, unknown>>(numbered(text), parameters);
      return rows;
    },
    drop: async () => {
      if (!made.delete(database)) return;
      await onServer(`drop database ${name} with (force)`);
      await connections.end();
    },
  };
  made.add(database);
  return database;
}

/** Fifty at once on a busy machine wait for each other longer than customers should. */
const PATIENCE = {
  LIMIT_DATABASE_CONNECT_MS: "300000",
  LIMIT_DATABASE_QUERY_MS: "300000",
  LIMIT_DATABASE_LOCK_MS: "300000",
};

/** The settings a portal reads from these variables; patient ones, unless they say otherwise. */
export function settingsOf(url: string, more: Readonly<Record<string, string>> = {}): PostgresSettings {
  const reading = readEnvironment({ DATABASE_URL: url, ...PATIENCE, ...more });
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  const settings = databaseSettings(reading.environment);
  if (settings.kind !== "postgres") throw new Error("not the address of a PostgreSQL database");
  return settings;
}

function numbered(text: string): string {
  let nth = 0;
  return text.replaceAll("?", () => `$${(nth += 1)}`);
}
