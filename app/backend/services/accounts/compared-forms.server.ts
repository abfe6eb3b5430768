import { sql, type RawBuilder } from "kysely";
import { readPolicyNo } from "~/contract/rules";
import type { Keyring } from "../../secrets/keyring.server";
import type { Reader, Store } from "../../store/store.server";
import { OTHER_FORM } from "./customers.server";
import { comparedIndex, openPid } from "./write-customer.server";

/*
 * Rows added by an earlier release lack the compared form of their policy number or identifier. Until it is filled in,
 * they are found by their exact spelling alone.
 */

/** Small, so that customers hardly wait. */
const BATCH = 50;

/** The number of rows of each kind. */
interface Rows {
  readonly policyholders: number;
  readonly policies: number;
}

/** The rows that are found by their exact spelling alone. */
export interface ExactOnly {
  /** They lack the compared form, or the keyring lacks its key. */
  readonly unfilled: Rows;
  /** Others differ from them only in spaces and hyphens. */
  readonly equal: Rows;
}

/** Counts the rows found by their exact spelling alone. Reads a whole index of the policies. */
export async function countExactOnly(reader: Reader, keyring: Keyring): Promise<ExactOnly> {
  const held = keyring.versions.map((version) => sql`pid_compared_index like ${`${version}.%`}`);
  return {
    unfilled: {
      policyholders: await count(
        reader,
        sql`from customers where pid_compared_index is null
          or (${OTHER_FORM} and not (${sql.join(held, sql` or `)}))`,
      ),
      policies: await count(reader, sql`from policies where policy_no_compared is null`),
    },
    equal: {
      // Of two equal identifiers, at least one isn't spelled in its compared form.
      policyholders: await sumOfGroups(
        reader,
        sql`from (
          select kind, pid_compared_index as form from customers where ${OTHER_FORM}
          union all
          select kind, pid_index as form from customers
          where pid_compared_index = pid_index
            and pid_index in (select pid_compared_index from customers where ${OTHER_FORM})
        ) as forms group by kind, form`,
      ),
      policies: await sumOfGroups(
        reader,
        sql`from policies where policy_no_compared is not null group by policy_no_compared`,
      ),
    },
  };
}

async function count(reader: Reader, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows ${from}`.execute(reader);
  return Number(rows[0]?.rows);
}

function sumOfGroups(reader: Reader, groups: RawBuilder<unknown>): Promise<number> {
  // Each row stands for its whole group.
  const each = sql`from (select count(*) as size ${groups} having count(*) > 1) as equal_rows`;
  return sum(reader, each);
}

async function sum(reader: Reader, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ rows: number | string | null }>`select sum(size) as rows ${from}`.execute(
    reader,
  );
  return Number(rows[0]?.rows ?? 0);
}

/** Whether there are rows to fill. Three look-ups, so that every start can ask. */
export async function isAnyUnfilled({ read }: Pick<Store, "read">): Promise<boolean> {
  const customers = await unfilledCustomers(read, "", 1);
  if (customers.length > 0 || (await unfilledPolicies(read, "", 1)).length > 0) return true;
  const unnamed = read.selectFrom("customers").select("id").where("name_index", "is", null).limit(1);
  return (await unnamed.executeTakeFirst()) !== undefined;
}

/**
 * Fills the next few policies; the portals may be running.
 * @returns the number after which to go on, or undefined after the last
 */
export async function fillPolicies(store: Store, after: string): Promise<string | undefined> {
  const rows = await unfilledPolicies(store.read, after, BATCH);
  if (rows.length > 0)
    await store.write(async (tx) => {
      for (const { policy_no } of rows)
        await tx
          .updateTable("policies")
          .set({ policy_no_compared: readPolicyNo(policy_no).compared })
          .where("policy_no", "=", policy_no)
          .execute();
    });
  return rows.at(BATCH - 1)?.policy_no;
}

/** Fills the next few policyholders, likewise. */
export async function fillCustomers(
  store: Store,
  keyring: Keyring,
  after: string,
): Promise<string | undefined> {
  const rows = await unfilledCustomers(store.read, after, BATCH);
  const filled = rows.map((row) => ({ id: row.id, index: comparedIndex(keyring, openPid(keyring, row)) }));
  if (filled.length > 0)
    await store.write(async (tx) => {
      for (const { id, index } of filled)
        await tx
          .updateTable("customers")
          .set({ pid_compared_index: index })
          .where("id", "=", id)
          .where("pid_compared_index", "is", null)
          .execute();
    });
  return rows.at(BATCH - 1)?.id;
}

// In the order of the index, in which the rows without the form are together.

function unfilledPolicies(reader: Reader, after: string, most: number) {
  return reader
    .selectFrom("policies")
    .select("policy_no")
    .where("policy_no_compared", "is", null)
    .where("policy_no", ">", after)
    .orderBy("policy_no_compared")
    .orderBy("policy_no")
    .limit(most)
    .execute();
}

function unfilledCustomers(reader: Reader, after: string, most: number) {
  return reader
    .selectFrom("customers")
    .select(["id", "pid_sealed"])
    .where("pid_compared_index", "is", null)
    .where("id", ">", after)
    .orderBy("pid_compared_index")
    .orderBy("id")
    .limit(most)
    .execute();
}
