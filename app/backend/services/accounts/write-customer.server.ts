import { randomUUID } from "node:crypto";
import { blindIndex, blindIndexes } from "../../secrets/keyed-hashes.server";
import type { Keyring } from "../../secrets/keyring.server";
import { seal } from "../../secrets/sealing.server";
import type { Reader, Tx } from "../../store/store.server";
import type { CustomerKind, Tables } from "../../store/tables.server";
import { openColumn, type Policy, type SealedColumn } from "./customers.server";

/** A policyholder as other systems know him. The identifier is as `readPid` gives it. */
export interface Customer {
  readonly kind: CustomerKind;
  readonly name: string;
  /** Who acts for a company. */
  readonly representative?: string | undefined;
  /** In international form: `+48500100001`. */
  readonly phone: string;
  readonly pid: string;
}

type Row = Tables["customers"];

/** Writes a new policyholder, and gives his id. */
export async function insertCustomer(tx: Tx, keyring: Keyring, customer: Customer): Promise<string> {
  const id = randomUUID();
  const { kind, name, representative, phone, pid } = customer;
  const values: Row = {
    id,
    kind,
    name_sealed: sealColumn(keyring, id, "name_sealed", name),
    representative_sealed:
      representative === undefined ? null : sealColumn(keyring, id, "representative_sealed", representative),
    phone_sealed: sealColumn(keyring, id, "phone_sealed", phone),
    pid_sealed: sealColumn(keyring, id, "pid_sealed", pid),
    pid_index: blindIndex(keyring, "pid", pid),
  };
  await tx.insertInto("customers").values(values).execute();
  return id;
}

/** The policyholder of this kind with this identifier. */
export async function customerWith(
  reader: Reader,
  keyring: Keyring,
  { kind, pid }: Pick<Customer, "kind" | "pid">,
): Promise<Row | undefined> {
  return reader
    .selectFrom("customers")
    .selectAll()
    .where("kind", "=", kind)
    .where("pid_index", "in", blindIndexes(keyring, "pid", pid))
    .executeTakeFirst();
}

/** Brings name, representative and phone up to date; says whether any was another. */
export async function updateCustomer(
  tx: Tx,
  keyring: Keyring,
  row: Row,
  { name, representative, phone }: Customer,
): Promise<boolean> {
  const renewed = (column: SealedColumn, text: string | undefined) => {
    const kept = row[column];
    if (text === undefined) return null;
    const isSame = kept !== null && openColumn(keyring, row.id, column, kept) === text;
    return isSame ? kept : sealColumn(keyring, row.id, column, text);
  };
  const values = {
    name_sealed: renewed("name_sealed", name) ?? row.name_sealed,
    representative_sealed: renewed("representative_sealed", representative),
    phone_sealed: renewed("phone_sealed", phone) ?? row.phone_sealed,
  };
  const isChanged = Object.entries(values).some(([column, value]) => row[column as SealedColumn] !== value);
  if (isChanged) await tx.updateTable("customers").set(values).where("id", "=", row.id).execute();
  return isChanged;
}

/** Writes a policy of this holder, new or changed; says whether anything was. A policy of another's is left alone. */
export async function putPolicy(tx: Tx, customerId: string, policy: Policy): Promise<boolean> {
  const { policyNo, name, validFrom, validTo } = policy;
  const values = { name, valid_from: validFrom, valid_to: validTo };
  const written = await tx
    .insertInto("policies")
    .values({ policy_no: policyNo, customer_id: customerId, ...values })
    .onConflict((conflict) =>
      conflict
        .column("policy_no")
        .doUpdateSet(values)
        .where("policies.customer_id", "=", customerId)
        .where((eb) =>
          eb.or([
            eb("policies.name", "<>", name),
            eb("policies.valid_from", "<>", validFrom),
            eb("policies.valid_to", "<>", validTo),
          ]),
        ),
    )
    .returning("policy_no")
    .executeTakeFirst();
  return written !== undefined;
}

/** The columns of a policyholder that are not under the current key, under it; none: all are (S84). */
export function rewrappedColumns(keyring: Keyring, row: Row): Partial<Row> {
  const columns = ["name_sealed", "representative_sealed", "phone_sealed", "pid_sealed"] as const;
  const pid = openColumn(keyring, row.id, "pid_sealed", row.pid_sealed);
  const anew = columns.flatMap((column) => {
    const kept = row[column];
    if (kept === null || isCurrent(keyring, kept)) return [];
    return [
      [column, sealColumn(keyring, row.id, column, openColumn(keyring, row.id, column, kept))] as const,
    ];
  });
  const index = isCurrent(keyring, row.pid_index) ? {} : { pid_index: blindIndex(keyring, "pid", pid) };
  return { ...Object.fromEntries(anew), ...index };
}

function isCurrent(keyring: Keyring, sealed: string): boolean {
  return sealed.startsWith(`${keyring.current}.`);
}

function sealColumn(keyring: Keyring, id: string, column: SealedColumn, text: string): string {
  return seal(keyring, { table: "customers", column, row: id }, text);
}
