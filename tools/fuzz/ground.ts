import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { openDatabase } from "~/backend/store/open-database.server";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { databaseSettings } from "~/platform/config/database-settings.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { PASSWORD, seedCustomers } from "../bench/accounts";
import { PATIENT, RATES_LIFTED } from "../bench/looseness";
import { residentMbOf } from "../bench/process";
import { ask } from "../../tests/http-request";
import { freshDataDir, startPortal, type Portal } from "../../tests/portal";
import { freePort } from "../../tests/free-port";
import { withClient } from "../../tests/postgres-server";
import { openOutbox, type FuzzOutbox } from "./outbox";
import { makeDatabase } from "../../tests/topology/database";
import type { VisitedPortal } from "../../tests/visitor";

/** The databases a portal can use. */
export type GroundKind = "SQLite" | "PostgreSQL";

/** The parts of a portal that walks need. */
export type WalkedPortal = VisitedPortal & Pick<Portal, "log">;

/** A portal to walk on, and everything it leaves behind. */
export interface Ground {
  readonly portal: WalkedPortal;
  /** Texts that must never appear anywhere. */
  readonly secrets: readonly string[];
  /** How many customers there are; the first half have an account. */
  readonly customers: number;
  readonly outbox: FuzzOutbox;
  readonly metrics: () => Promise<string>;
  /** All that the database holds, its bytes as Latin-1. */
  readonly dump: () => Promise<string>;
  /** Resident memory of the portal, in MB. */
  readonly residentMb: () => number;
}

/** Starts a portal on a new database with this many customers, does the work and removes both. */
export async function onGround<Value>(
  kind: GroundKind,
  customers: number,
  work: (ground: Ground) => Promise<Value>,
): Promise<Value> {
  const database = kind === "PostgreSQL" ? await makeDatabase() : undefined;
  const dataDir = await freshDataDir();
  try {
    const urls: Record<string, string> = database ? { DATABASE_URL: database.url } : {};
    const [dataKey, sessionSecret] = [randomBytes(32), randomBytes(32).toString("base64")];
    const env = {
      ...urls,
      DATA_KEYS: `1:${dataKey.toString("base64")}`,
      SESSION_SECRET: sessionSecret,
    };
    const home = {
      keyring: makeKeyring([{ version: 1, key: dataKey }]),
      openStore: () => openDatabase(settingsOf(urls), dataDir, () => undefined),
    };
    await seedCustomers(home, { customers, accounts: Math.ceil(customers / 2) });
    const metricsPort = await freePort();
    const portal = await startPortal({
      dataDir,
      env: { ...env, ...RATES_LIFTED, ...PATIENT, METRICS_PORT: String(metricsPort), LOG_LEVEL: "debug" },
    });
    const outbox = openOutbox(home.keyring, dataDir, database?.ownerUrl);
    try {
      return await work({
        // At an IP address there are no passkeys.
        portal: { ...portal, origin: `http://localhost:${portal.port}` },
        outbox,
        customers,
        secrets: [PASSWORD, "Demo-Haslo-2026", dataKey.toString("base64"), sessionSecret],
        metrics: () => metricsAt(metricsPort),
        dump: () => (database ? rowsOf(database.ownerUrl) : Promise.resolve(filesIn(dataDir))),
        residentMb: () => residentMbOf(portal.pid),
      });
    } finally {
      await outbox.close();
      await portal.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    await database?.stop();
  }
}

function settingsOf(urls: Readonly<Record<string, string>>) {
  const reading = readEnvironment(urls);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  return databaseSettings(reading.environment);
}

async function metricsAt(port: number): Promise<string> {
  const { status, body } = await ask({ port, path: "/metrics" });
  if (status !== 200) throw new Error(`the metrics answer ${status}`);
  return body;
}

/** The database file, its write-ahead log, and every row as JSON, since in raw bytes nothing separates two values. */
function filesIn(dataDir: string): string {
  const files = ["portal.db", "portal.db-wal"]
    .map((name) => join(dataDir, name))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, "latin1"));
  const database = new SqliteConnection(join(dataDir, "portal.db"), { mode: "ro" });
  const rows = database
    .rows<{ name: string }>("select name from sqlite_master where type = 'table'")
    .flatMap(({ name }) => database.rows(`select * from "${name}"`))
    .map((row) => JSON.stringify(row));
  database.close();
  return [...files, Buffer.from(rows.join("\n")).toString("latin1")].join("\n");
}

/** Every row of every table. */
function rowsOf(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(
        `select row_to_json(t)::text as row from ${name} t`,
      );
      texts.push(...rows.map(({ row }) => row));
    }
    return Buffer.from(texts.join("\n")).toString("latin1");
  });
}
