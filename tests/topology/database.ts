import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { migrateTables } from "../migrate-tables";
import { addressOf, connectTo, onServer, withClient } from "../postgres-server";

const ROLES = fileURLToPath(new URL("../../deploy/postgresql/roles.sql", import.meta.url));

/** A database with the five roles of deploy/postgresql. */
export interface Database {
  /** The address for the role that serves. */
  readonly url: string;
  /** The address for the role that owns the tables. */
  readonly ownerUrl: string;
  /** The address for the role that seals the audit, and its name. */
  readonly auditUrl: string;
  readonly auditRole: string;
  /** The address for the role that backs up. */
  readonly backupUrl: string;
  /** The address for the role of the help desk's pages. */
  readonly helpDeskUrl: string;
  /** The variables of a command that makes or changes the tables. */
  readonly forOwner: Readonly<Record<string, string>>;
  /** The number of rows in a table. */
  readonly count: (table: string) => Promise<number>;
  /** Locks a table against all other connections; call the returned function to unlock it. */
  readonly lock: (table: string) => Promise<() => Promise<void>>;
  /** Whether any connection is waiting for such a lock. */
  readonly isWaiting: () => Promise<boolean>;
  /** Puts an empty database in its place, for the same roles, as an operator does before a restore. */
  readonly empty: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Makes a database with its own five roles and the portal's tables, as an operator does. */
export async function makeDatabase(): Promise<Database> {
  const database = await makeBareDatabase();
  await migrateTables(database.forOwner);
  return database;
}

/** The same without tables. */
export async function makeBareDatabase(): Promise<Database> {
  const name = `portal_topology_${randomBytes(6).toString("hex")}`;
  const roles = {
    owner: `${name}_owner`,
    runtime: `${name}_runtime`,
    audit: `${name}_audit`,
    backup: `${name}_backup`,
    help_desk: `${name}_help_desk`,
  };
  const password = randomBytes(12).toString("hex");
  const admin = addressOf(name);
  const rowCount = (text: string) =>
    withClient(admin, async (client) => (await client.query(text)).rowCount ?? 0);
  const setUp = await rolesFor({ ...roles, database: name, password });
  const create = async (statements: string) => {
    await onServer(`create database ${name} template template0`);
    await withClient(admin, (client) => client.query(statements));
  };
  const drop = () => onServer(`drop database ${name} with (force)`);
  await create(setUp);
  const url = addressOf(name, { username: roles.runtime, password });
  const ownerUrl = addressOf(name, { username: roles.owner, password });
  return {
    url,
    ownerUrl,
    forOwner: {
      DATABASE_URL: url,
      MIGRATION_DATABASE_URL: ownerUrl,
      AUDIT_DATABASE_ROLE: roles.audit,
      HELP_DESK_DATABASE_ROLE: roles.help_desk,
    },
    auditUrl: addressOf(name, { username: roles.audit, password }),
    auditRole: roles.audit,
    backupUrl: addressOf(name, { username: roles.backup, password }),
    helpDeskUrl: addressOf(name, { username: roles.help_desk, password }),
    count: (table) => rowCount(`select 1 from ${table}`),
    lock: async (table) => {
      const locker = await connectTo(admin);
      await locker.query(`begin; lock table ${table} in access exclusive mode`);
      return () => locker.end();
    },
    isWaiting: async () =>
      (await rowCount(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )) > 0,
    empty: async () => {
      await drop();
      // psql does the same without passwords.
      await create(setUp.replaceAll(/^CREATE ROLE .*$/gm, ""));
    },
    stop: async () => {
      await drop();
      for (const role of Object.values(roles)) await onServer(`drop role ${role}`);
    },
  };
}

/** The file operators run, with its variables filled in as psql would, and without psql's own lines. */
async function rolesFor({ password, ...names }: Readonly<Record<string, string>>): Promise<string> {
  const file = await readFile(ROLES, "utf8");
  return file
    .replace(/^\\.*$/gm, "")
    .replace(/:'\w+_password'/g, `'${password}'`)
    .replace(/:"(\w+)"/g, (whole, name: string) => names[name] ?? whole);
}
