import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";

/** A PostgreSQL whose administrator may make databases and roles. */
const SERVER = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const ROLES = fileURLToPath(new URL("../../deploy/postgresql/roles.sql", import.meta.url));

/** A database with the two roles of deploy/postgresql, and no tables yet. */
export interface Database {
  /** Of the role that serves. */
  readonly url: string;
  /** Of the role that owns the tables. */
  readonly ownerUrl: string;
  /** The same address by another port: that of somebody between. */
  readonly through: (url: string, port: number) => string;
  readonly host: string;
  readonly port: number;
  /** How many rows a table has. */
  readonly count: (table: string) => Promise<number>;
  /** Keeps everybody else from a table, until the function that this gives is called. */
  readonly lock: (table: string) => Promise<() => Promise<void>>;
  /** Whether somebody waits for such a lock. */
  readonly isWaiting: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

/** Whether there is a PostgreSQL for tests. `.ci/run` starts one. */
export async function hasPostgres(): Promise<boolean> {
  const client = new Client({ connectionString: SERVER, connectionTimeoutMillis: 2000 });
  return client.connect().then(
    async () => {
      await client.end();
      return true;
    },
    () => false,
  );
}

/**
 * Makes a database with two roles of its own, as an operator does.
 * @throws Error where there is no server, or its administrator may not
 */
export async function makeDatabase(): Promise<Database> {
  const name = `portal_topology_${randomBytes(6).toString("hex")}`;
  const roles = { owner: `${name}_owner`, runtime: `${name}_runtime` };
  const password = randomBytes(12).toString("hex");
  await asAdministrator(SERVER, (client) => client.query(`create database ${name}`));
  const own = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  const admin = new Client({ connectionString: own });
  await admin.connect();
  await admin.query(await rolesFor({ ...roles, database: name, password }));
  const as = (username: string) => Object.assign(new URL(own), { username, password }).href;
  const { hostname, port } = new URL(SERVER);
  return {
    url: as(roles.runtime),
    ownerUrl: as(roles.owner),
    through: (url, by) => Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(by) }).href,
    host: hostname,
    port: Number(port || 5432),
    count: async (table) => {
      const { rows } = await admin.query<{ rows: string }>(`select count(*) as rows from ${table}`);
      return Number(rows[0]?.rows);
    },
    lock: async (table) => {
      const locker = new Client({ connectionString: own });
      await locker.connect();
      await locker.query(`begin; lock table ${table} in access exclusive mode`);
      return () => locker.end();
    },
    isWaiting: async () => {
      const { rows } = await admin.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    },
    stop: async () => {
      await admin.end();
      await asAdministrator(SERVER, async (client) => {
        await client.query(`drop database ${name} with (force)`);
        for (const role of Object.values(roles)) await client.query(`drop role ${role}`);
      });
    },
  };
}

/** The file that operators run, with its variables filled in as psql does it. */
async function rolesFor({ password, ...names }: Readonly<Record<string, string>>): Promise<string> {
  const file = await readFile(ROLES, "utf8");
  return file
    .replace(/:'\w+_password'/g, `'${password}'`)
    .replace(/:"(\w+)"/g, (whole, name: string) => names[name] ?? whole);
}

async function asAdministrator(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}
