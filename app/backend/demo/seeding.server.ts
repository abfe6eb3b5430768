import { randomUUID } from "node:crypto";
import { readPassword, usernameKey } from "~/contract/identifiers";
import { DAY } from "../clock.server";
import type { Parts } from "../parts.server";
import { BUSY } from "../secrets/hash-queue.server";
import { sealDocumentPassword } from "../secrets/document-password.server";
import { Passwords, type PasswordHash } from "../secrets/passwords.server";
import {
  newCustomer,
  putCustomers,
  putPolicies,
  type HeldPolicy,
} from "../services/accounts/write-customer.server";
import { DEMO_CUSTOMERS_FACT } from "../store/mode-check.server";
import type { Tx } from "../store/store.server";
import { DEMO_CUSTOMERS, DEMO_PASSWORD, type DemoCustomer } from "./customers.server";

const YEAR_DAYS = 365;

type SeedingParts = Pick<Parts, "store" | "keyring" | "clock" | "limits">;

/** Adds the demo's customers to a new database: all or none, and only once. */
export async function seedDemoCustomers(parts: SeedingParts): Promise<void> {
  const seeded = await parts.store.read
    .selectFrom("facts")
    .select("name")
    .where("name", "=", DEMO_CUSTOMERS_FACT)
    .executeTakeFirst();
  if (seeded) return;
  const seed = await inventedCustomers(parts);
  await parts.store.write(async (tx) => {
    const fact = { name: DEMO_CUSTOMERS_FACT, value: String(DEMO_CUSTOMERS.length) };
    // If several processes start at once, one inserts this row; the others wait here until it is done.
    const isFirst = await tx
      .insertInto("facts")
      .values(fact)
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .executeTakeFirst();
    if (isFirst) await seed(tx);
  });
}

/** Prepares the demo's customers; the returned function inserts them. Hashing takes too long for a transaction. */
export async function inventedCustomers(parts: SeedingParts): Promise<(tx: Tx) => Promise<void>> {
  // A separate queue, since the one for sign-ins may be short.
  const queue = { parallel: parts.limits.HASH_PARALLEL, waitMs: Infinity, places: Infinity, holdMs: 0 };
  const passwords = new Passwords(parts.keyring, queue);
  const people = await Promise.all(
    DEMO_CUSTOMERS.map(async (customer) => ({
      customer,
      password: customer.account && (await demoPassword(passwords)),
    })),
  );
  const seeds = people.map(({ customer, password }, index) => {
    const row = newCustomer(parts.keyring, customer);
    return { customer, password, row, policies: policiesFrom(parts.clock(), row.id, customer, index) };
  });
  // In few statements, so that other starting processes don't wait long.
  return async (tx) => {
    await putCustomers(
      tx,
      seeds.map(({ row }) => row),
    );
    await putPolicies(
      tx,
      seeds.flatMap(({ policies }) => policies),
    );
    for (const { customer, password, row } of seeds)
      if (password) await seedAccount(tx, parts, row.id, customer, password);
  };
}

async function demoPassword(passwords: Passwords): Promise<PasswordHash> {
  const hash = await passwords.hash(readPassword(DEMO_PASSWORD));
  if (hash === BUSY) throw new Error("an unbounded queue was full");
  return hash;
}

/** One-year policies that began at different times, none of which has ended yet. */
function policiesFrom(now: number, customerId: string, customer: DemoCustomer, index: number): HeldPolicy[] {
  return Object.entries(customer.policies).map(([policyNo, name], nth) => {
    const from = now - ((index * 37 + nth * 101) % 300) * DAY;
    const validTo = day(from + (YEAR_DAYS - 1) * DAY);
    return { policyNo, customerId, name, validFrom: day(from), validTo };
  });
}

function day(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

async function seedAccount(
  tx: Tx,
  parts: SeedingParts,
  customerId: string,
  { account }: DemoCustomer,
  password: PasswordHash,
): Promise<void> {
  if (!account) return;
  const now = parts.clock();
  const id = randomUUID();
  const values = {
    id,
    customer_id: customerId,
    username: account.username,
    username_key: usernameKey(account.username),
    password_hash: password.hash,
    pepper_version: password.pepperVersion,
    state: account.state,
    created_at: now,
  };
  await tx.insertInto("accounts").values(values).execute();
  for (let change = 1; change <= (account.usernameChanges ?? 0); change += 1) {
    await tx
      .insertInto("username_changes")
      .values({ id: randomUUID(), account_id: id, changed_at: now - change * DAY })
      .execute();
  }
  if (account.documentPassword === undefined) return;
  const kept = sealDocumentPassword(parts.keyring, id, account.documentPassword);
  const document = {
    key_version: kept.keyVersion,
    wrapped_key: kept.wrappedKey,
    password_sealed: kept.sealed,
    changed_at: now,
  };
  await tx
    .insertInto("document_passwords")
    .values({ account_id: id, ...document })
    .execute();
}
