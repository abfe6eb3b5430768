import { Client } from "pg";

const SERVER = process.env.TEST_DATABASE_URL || "postgres://postgres@127.0.0.1:5432/postgres";

/** Whether the tests can reach a PostgreSQL server to make databases on. */
export async function canReachPostgres() {
  const client = new Client({ connectionString: SERVER, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
