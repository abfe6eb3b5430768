import { Client, TypeOverrides, types } from "pg";

const GIVEN = process.env["TEST_DATABASE_URL"] ?? "";
/** An empty one counts as none, as scripts/prepare/postgres.mjs has it: else nothing would run, and nobody would know. */
const SERVER = GIVEN === "" ? "postgres://postgres@127.0.0.1:5432/postgres" : GIVEN;
const CONNECT_MS = 5000;

/** Whether there is a PostgreSQL for the tests: TEST_DATABASE_URL, or the usual one of this machine. */
export const hasPostgres = await withClient(SERVER, () => Promise.resolve(true)).catch(() => false);

/** The address of a database of that server, for its owner or for a role. */
export function addressOf(database: string, role: Partial<Pick<URL, "username" | "password">> = {}): string {
  return Object.assign(new URL(SERVER), role, { pathname: `/${database}` }).href;
}

/** A statement for the server itself: roles, other databases. */
export async function onServer(text: string): Promise<void> {
  await withClient(SERVER, (client) => client.query(text));
}

/** A connection for as long as the work takes. Whole numbers come as numbers. */
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

/** A connection; who asks for it ends it. */
export async function connectTo(url: string): Promise<Client> {
  const numbers = new TypeOverrides();
  numbers.setTypeParser(types.builtins.INT8, Number);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, types: numbers });
  await client.connect();
  return client;
}
