import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { migrateTables } from "./migrate-tables";
import { madeOnce } from "./made-once";
import { addressOf, withServer } from "./postgres-server";

const STORE = fileURLToPath(new URL("../app/backend/store/", import.meta.url));
const PREFIX = "portal_tables_";
/** Any number that no other lock of the server has. */
const LOCK = 7_461_726_561;

/**
 * The name of a database that has the portal's tables and is never opened, only copied. All test runs of a day share
 * it, until a migration changes.
 */
export const databaseWithTables = madeOnce(make);

async function make(): Promise<string> {
  const name = `${PREFIX}${day(0)}_${fingerprint()}`;
  await withServer(async (client) => {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where datname like $1",
      [`${PREFIX}%`],
    );
    if (rows.some(({ datname }) => datname === name)) return;
    // A run that began before midnight still copies yesterday's.
    const outdated = rows.filter(({ datname }) => datname < PREFIX + day(-1));
    for (const { datname } of outdated) await client.query(`drop database ${datname} with (force)`);
    const draft = `portal_draft_${fingerprint()}`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} template template0`);
    await migrateTables({ DATABASE_URL: addressOf(draft) });
    await client.query(`alter database ${draft} rename to ${name}`);
  });
  return name;
}

/** A day near today, as 20261123. */
function day(from: number): string {
  const moment = new Date(Date.now() + from * 24 * 60 * 60 * 1000);
  return moment.toISOString().slice(0, "2026-11-23".length).replaceAll("-", "");
}

/** A hash of everything that the tables depend on. */
function fingerprint(): string {
  const files = readdirSync(STORE, { recursive: true, encoding: "utf8" });
  const hash = createHash("sha256");
  for (const file of files.filter((one) => /(migrations|postgres).*\.ts$/.test(one)).sort())
    hash.update(readFileSync(STORE + file));
  return hash.digest("hex").slice(0, 16);
}
