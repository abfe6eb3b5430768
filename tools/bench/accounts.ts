import type { Insertable } from "kysely";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { readPassword, readPid, readPolicyNo, usernameKey } from "~/contract/rules";
import { BUSY, type PasswordHash, Passwords } from "~/backend/secrets/passwords.server";
import { type Keyring, blindIndex, seal } from "~/backend/secrets/keyring.server";
import type { Tables } from "~/backend/store/tables.server";
import type { Home } from "./home";

/** The password of every account the bench makes. */
export const PASSWORD = "Dobre-Haslo-2026";
/** SQLite allows 32,766 parameters in a statement; a row has nine. */
const BATCH = 1000;

/** How many to make; the first ones have an account each. */
export interface Population {
  readonly customers: number;
  readonly accounts: number;
}

/** The details that the nth customer of the bench types. */
export function customerNumber(nth: number) {
  const digits = String(nth).padStart(8, "0");
  return {
    username: `klient.probny.${nth}`,
    policyNo: `PRB-${digits}`,
    pid: `BENCH${digits}`,
    phone: `+48${600_000_000 + nth}`,
    policyId: `policy-${digits}`,
  };
}

/**
 * Fills a new database with customers, a policy each, through the store's own code: the portal finds exactly what it
 * would have written.
 */
export async function seedCustomers(
  home: Pick<Home, "keyring" | "openStore">,
  { customers, accounts }: Population,
): Promise<void> {
  const { keyring } = home;
  const store = await home.openStore();
  const password = await hashOnce(keyring);
  for (let from = 0; from < customers; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, customers - from) }, (_, nth) => from + nth);
    const people = numbers.map((nth) => customerRow(keyring, nth));
    const withAccount = people.slice(0, Math.max(0, accounts - from));
    await store.write(async (tx) => {
      await tx.insertInto("customers").values(people).execute();
      await tx
        .insertInto("policies")
        .values(people.map(({ id }, nth) => policyRow(id, from + nth)))
        .execute();
      if (withAccount.length === 0) return;
      await tx
        .insertInto("accounts")
        .values(withAccount.map(({ id }, nth) => accountRow(id, from + nth, password)))
        .execute();
    });
  }
  // Both databases plan queries by table statistics, which PostgreSQL would only gather a minute later.
  await sql`analyze`.execute(store.read);
  await store.close();
}

/** All accounts share one hash: a comparison costs the same whichever hash it is. */
async function hashOnce(keyring: Keyring): Promise<PasswordHash> {
  const hash = await new Passwords(keyring, { parallel: 1, waitMs: 1000, places: 1, holdMs: 0 }).hash(
    readPassword(PASSWORD),
  );
  if (hash === BUSY) throw new Error("an empty queue says it is busy");
  return hash;
}

function customerRow(keyring: Keyring, nth: number): Tables["customers"] {
  const id = randomUUID();
  const sealed = (column: string, text: string) =>
    seal(keyring, { table: "customers", column, row: id }, text);
  const { pid, phone } = customerNumber(nth);
  return {
    id,
    kind: "no-id",
    name_sealed: sealed("name_sealed", `Klient Próbny ${nth}`),
    representative_sealed: null,
    phone_sealed: sealed("phone_sealed", phone),
    pid_sealed: sealed("pid_sealed", pid),
    pid_index: blindIndex(keyring, "pid", pid),
    pid_compared_index: blindIndex(keyring, "pid", readPid(pid).compared),
    email_sealed: null,
    new_phone_sealed: null,
    new_phone_from: null,
    name_index: null,
    phone_index: null,
    new_phone_index: null,
    email_index: null,
  };
}

function policyRow(customerId: string, nth: number): Tables["policies"] {
  return {
    policy_no: customerNumber(nth).policyNo,
    policy_no_compared: readPolicyNo(customerNumber(nth).policyNo).compared,
    customer_id: customerId,
    name: "Mieszkanie",
    valid_from: "2026-01-01",
    valid_to: "2026-12-31",
    id: customerNumber(nth).policyId,
    product: "home",
    premium_sealed: null,
    changed_on: null,
  };
}

function accountRow(
  customerId: string,
  nth: number,
  { hash, pepperVersion }: PasswordHash,
): Insertable<Tables["accounts"]> {
  const { username } = customerNumber(nth);
  return {
    id: randomUUID(),
    customer_id: customerId,
    username,
    username_key: usernameKey(username),
    password_hash: hash,
    pepper_version: pepperVersion,
    state: "active",
    created_at: Date.now(),
  };
}
