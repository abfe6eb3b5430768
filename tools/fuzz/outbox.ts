import { join } from "node:path";
import { Pool } from "pg";
import { type Keyring, open } from "~/backend/secrets/keyring.server";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";

/** A row of the demo's outbox. */
interface Row {
  readonly id: string;
  readonly recipient_sealed: string;
  readonly text_sealed: string;
}

/** The demo's outbox, read beside the portal: its page would cost the portal more than all requests sent to it. */
export interface FuzzOutbox {
  /** The code in the newest message to this number, if there is one. */
  readonly codeTo: (phone: string) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** No customer reads a code once this many newer messages have been sent. */
const NEWEST = 100;
const QUERY = `select id, recipient_sealed, text_sealed from outbox where recipient_sealed <> '' order by id desc limit ${NEWEST}`;

/**
 * Opens the outbox of a running portal.
 * @param url the address of its PostgreSQL; without one, its SQLite is in the data directory
 */
export function openOutbox(keyring: Keyring, dataDir: string, url: string | undefined): FuzzOutbox {
  const { rows, close } = url === undefined ? fromSqlite(dataDir) : fromPostgres(url);
  const read = ({ id: row }: Row, column: "recipient_sealed" | "text_sealed", sealed: string) =>
    open(keyring, { table: "outbox", column, row }, sealed);
  return {
    codeTo: async (phone) => {
      const newest = (await rows()).find(
        (row) => read(row, "recipient_sealed", row.recipient_sealed) === phone,
      );
      return newest && /\d{6}/.exec(read(newest, "text_sealed", newest.text_sealed))?.[0];
    },
    close,
  };
}

function fromSqlite(dataDir: string) {
  const database = new SqliteConnection(join(dataDir, "portal.db"), { mode: "ro" });
  return {
    rows: () => Promise.resolve(database.rows<Row>(QUERY)),
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}

function fromPostgres(url: string) {
  const pool = new Pool({ connectionString: url });
  return { rows: async () => (await pool.query<Row>(QUERY)).rows, close: () => pool.end() };
}
