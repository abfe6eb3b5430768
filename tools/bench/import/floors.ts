import { execFileSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sql } from "kysely";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { newCustomer, type Customer } from "~/backend/customers/write-customer.server";
import { DATABASE_FILE } from "~/backend/store/data-directory.server";
import type { Home } from "../home";
import { withDataDir } from "../portal";

/** The tables that an import fills, in an order that foreign keys allow. */
const TABLES = ["customers", "policies"] as const;

/** How long encrypting all values and hashing all identifiers of an import file takes, in seconds. */
export async function sealed(keyring: Keyring, file: string): Promise<number> {
  let ms = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const customer = JSON.parse(line) as Customer;
    const began = performance.now();
    newCustomer(keyring, customer);
    ms += performance.now() - began;
  }
  return ms / 1000;
}

/** How long the database alone takes to fill the same tables of a second database with the same rows, in seconds. */
export async function copied(from: Home, to: Home): Promise<number> {
  await (await to.openStore()).close();
  const [source, target] = [from.env["DATABASE_URL"], to.env["DATABASE_URL"]];
  return source !== undefined && target !== undefined
    ? copiedByPsql(source, target)
    : insertedFrom(join(from.env["DATA_DIR"] ?? "", DATABASE_FILE), to);
}

function copiedByPsql(source: string, target: string): Promise<number> {
  return withDataDir((folder) => {
    const copy = (url: string, direction: "to" | "from") => {
      const commands = TABLES.flatMap((name) => [
        "-c",
        `\\copy ${name} ${direction} '${join(folder, name)}'`,
      ]);
      execFileSync("psql", ["--quiet", "--set", "ON_ERROR_STOP=1", url, ...commands]);
    };
    copy(source, "to");
    const began = performance.now();
    copy(target, "from");
    return Promise.resolve((performance.now() - began) / 1000);
  });
}

/** One transaction inside SQLite: no value passes through JavaScript. */
async function insertedFrom(file: string, to: Home): Promise<number> {
  const store = await to.openStore();
  try {
    await sql`attach database ${file} as source`.execute(store.read);
    const began = performance.now();
    await store.write(async (tx) => {
      for (const name of TABLES)
        await sql`insert into ${sql.table(name)} select * from source.${sql.table(name)}`.execute(tx);
    });
    return (performance.now() - began) / 1000;
  } finally {
    await store.close();
  }
}
