import { Client, Pool, TypeOverrides, types } from "pg";

/** The tests' own server, or another one that the variable names (scripts/prepare/postgres.mjs). */
const SERVER = process.env["TEST_DATABASE_URL"] ?? "";
const CONNECT_MS = 300_000;
/** How long an unused connection stays open. */
const IDLE_MS = 2000;

/** Whether there is a PostgreSQL for the tests. */
export const hasPostgres = SERVER !== "";

/** The address of a database on that server, for its owner or for a role. */
export function addressOf(database: string, role: Partial<Pick<URL, "username" | "password">> = {}): string {
  return Object.assign(new URL(SERVER), role, { pathname: `/${database}` }).href;
}

/** Runs a statement on the server itself: roles, databases. */
export async function onServer(text: string): Promise<void> {
  await withClient(SERVER, (client) => client.query(text));
}

/** The same for work that needs one connection for all of its statements. */
export function withServer<Value>(work: (client: Client) => Promise<Value>): Promise<Value> {
  return withClient(SERVER, work);
}

/** Opens a connection for the duration of the work. Integers are read as numbers. */
export async function withClient<Value>(
  url: string,
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  const client = await connectTo(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Opens a connection that the caller must end. */
export async function connectTo(url: string): Promise<Client> {
  const client = new Client(settingsOf(url));
  await client.connect();
  return client;
}

/**
 * Connections for statements that need none of their own. They are kept for the next ones, because the server starts a
 * process for each connection, which takes far longer than most statements.
 */
export function connectionsTo(url: string): Pool {
  const pool = new Pool({ ...settingsOf(url), idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true });
  // Tests end connections to see what a portal does then.
  pool.on("error", () => undefined);
  return pool;
}

function settingsOf(url: string) {
  const numbers = new TypeOverrides();
  numbers.setTypeParser(types.builtins.INT8, Number);
  return { connectionString: url, connectionTimeoutMillis: CONNECT_MS, types: numbers };
}
