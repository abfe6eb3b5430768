import { randomBytes } from "node:crypto";
import { Client, TypeOverrides, types } from "pg";
import { afterAll, describe } from "vitest";
import { databaseSettings, type PostgresSettings } from "~/platform/database-settings.server";
import { readEnvironment } from "~/platform/environment.server";

/** The databases that a portal can have. */
export type DatabaseKind = "sqlite" | "postgres";

/** A PostgreSQL database of a test's own. It is dropped when the test's file is done, if not before. */
export interface TestDatabase {
  /** What a portal is told. */
  readonly url: string;
  readonly name: string;
  /** Runs a statement as the server's owner; `?` stands for a parameter, as in SQLite. */
  query(text: string, ...parameters: unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

const SERVER = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** Whether there is a PostgreSQL for the tests: TEST_DATABASE_URL, or the usual one of this machine. */
export const hasPostgres = await withClient(SERVER, () => Promise.resolve(true)).catch(() => false);

const DROP_MS = 120_000;
const made = new Set<TestDatabase>();
if (hasPostgres) {
  // Dropping one waits for the disk, as long as the machine is busy.
  afterAll(() => Promise.all([...made].map((database) => database.drop())), DROP_MS);
}

/** Has the same promises kept on SQLite and on PostgreSQL. */
export function onEachDatabase(promises: (kind: DatabaseKind) => void): void {
  describe("on SQLite", () => {
    promises("sqlite");
  });
  describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
    promises("postgres");
  });
}

/** Makes an empty database. It costs a good deal: whoever can, uses one again. */
export async function makeDatabase(): Promise<TestDatabase> {
  const name = `portal_test_${randomBytes(6).toString("hex")}`;
  await onServer(`create database ${name} template template0`);
  const url = new URL(SERVER);
  url.pathname = name;
  const database: TestDatabase = {
    url: url.href,
    name,
    query: (text, ...parameters) => queryAt(url.href, text, parameters),
    drop: async () => {
      if (made.delete(database)) await onServer(`drop database ${name} with (force)`);
    },
  };
  made.add(database);
  return database;
}

/** A statement for the server itself: roles, other databases. */
export async function onServer(text: string): Promise<void> {
  await queryAt(SERVER, text, []);
}

/** What a portal does with these variables, by its own schema. */
export function settingsOf(url: string, more: Readonly<Record<string, string>> = {}): PostgresSettings {
  const reading = readEnvironment({ DATABASE_URL: url, ...more });
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  const settings = databaseSettings(reading.environment);
  if (settings.kind !== "postgres") throw new Error("this is no address of a PostgreSQL");
  return settings;
}

function queryAt(url: string, text: string, parameters: readonly unknown[]) {
  let nth = 0;
  const numbered = text.replaceAll("?", () => `$${(nth += 1)}`);
  return withClient(url, async (client) => {
    const { rows } = await client.query(numbered, [...parameters]);
    return rows as Record<string, unknown>[];
  });
}

async function withClient<Value>(url: string, work: (client: Client) => Promise<Value>): Promise<Value> {
  const numbers = new TypeOverrides();
  numbers.setTypeParser(types.builtins.INT8, Number);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000, types: numbers });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
