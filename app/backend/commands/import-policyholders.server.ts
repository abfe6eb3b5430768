import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Keyring } from "../secrets/keyring.server";
import {
  lockKnownCustomers,
  newCustomer,
  policiesNumbered,
  putCustomers,
  putPolicies,
  renewedCustomer,
  type CustomerRow,
  type HeldPolicy,
} from "../services/accounts/write-customer.server";
import type { Store, Tx } from "../store/store.server";
import { withPortalDatabase, type Output } from "./portal-database.server";
import { batchesOf, type Line } from "./policyholder-batches.server";
import type { Policyholder } from "./policyholder-line.server";

/** The result of one line. A refused line changes nothing. */
type Imported =
  | { readonly kind: "new" | "changed" | "unchanged" }
  | { readonly kind: "refused"; readonly problem: string };

/** How many lines had each result. */
type ImportCounts = Record<Imported["kind"], number>;

/** The changes a line asks for, checked before anything is written. */
interface Plan {
  readonly result: Imported;
  readonly customer?: CustomerRow | undefined;
  readonly policies?: readonly HeldPolicy[];
}

/**
 * Imports policyholders from a file with one JSON object per line. Policyholders are told apart by kind and identifier.
 * New ones are added and changed ones updated; nothing is deleted. A policy never changes hands here, since one mistyped
 * number would show a customer someone else's contract. Each line is written whole or not at all, and importing the same
 * file again changes nothing.
 * @param printError gets the number of each refused line and the reason, but nothing from the line itself
 */
export async function importPolicyholders(
  store: Store,
  keyring: Keyring,
  lines: AsyncIterable<string>,
  printError: (line: string) => void,
): Promise<ImportCounts> {
  const counts: ImportCounts = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  for await (const batch of batchesOf(lines)) {
    const results = await store.write((tx) => importBatch(tx, keyring, batch));
    for (const { number, result } of results) {
      counts[result.kind] += 1;
      if (result.kind === "refused") printError(`line ${number}: ${result.problem}`);
    }
  }
  return counts;
}

/** Writes all lines in a few statements, leaving out the refused ones. */
async function importBatch(tx: Tx, keyring: Keyring, lines: readonly Line[]) {
  await waitForOtherImports(tx);
  const holders = lines.flatMap(({ reading }) => (reading.ok ? [reading.holder] : []));
  const known = await lockKnownCustomers(tx, keyring, holders);
  const numbers = holders.flatMap(({ policies }) => policies.map(({ policyNo }) => policyNo));
  const kept = new Map((await policiesNumbered(tx, numbers)).map((policy) => [policy.policyNo, policy]));
  const plans = lines.map(({ number, reading }) => ({
    number,
    ...(reading.ok
      ? planFor(keyring, reading.holder, known.get(reading.holder), kept)
      : refused(reading.problem)),
  }));
  await putCustomers(
    tx,
    plans.flatMap(({ customer }) => customer ?? []),
  );
  await putPolicies(
    tx,
    plans.flatMap(({ policies }) => policies ?? []),
  );
  return plans;
}

/** Makes a second import wait until this transaction ends; otherwise neither would see the customers the other adds. */
async function waitForOtherImports(tx: Tx): Promise<void> {
  await tx
    .insertInto("facts")
    .values({ name: "policyholders", value: "imported" })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: "imported" }))
    .execute();
}

function planFor(
  keyring: Keyring,
  holder: Policyholder,
  known: CustomerRow | undefined,
  kept: ReadonlyMap<string, HeldPolicy>,
): Plan {
  const row = known ?? newCustomer(keyring, holder);
  const foreign = holder.policies.findIndex(
    ({ policyNo }) => (kept.get(policyNo)?.customerId ?? row.id) !== row.id,
  );
  if (foreign !== -1)
    return refused(`policies.${foreign}: expected a policy that belongs to no other policyholder`);
  const policies = holder.policies
    .map((policy) => ({ ...policy, customerId: row.id }))
    .filter((policy) => !isKept(policy, kept.get(policy.policyNo)));
  if (!known) return { result: { kind: "new" }, customer: row, policies };
  const customer = renewedCustomer(keyring, known, holder);
  const isChanged = customer !== undefined || policies.length > 0;
  return { result: { kind: isChanged ? "changed" : "unchanged" }, customer, policies };
}

function refused(problem: string): Plan {
  return { result: { kind: "refused", problem } };
}

function isKept({ name, validFrom, validTo }: HeldPolicy, kept: HeldPolicy | undefined): boolean {
  return kept?.name === name && kept.validFrom === validFrom && kept.validTo === validTo;
}

/** `import-policyholders FILE`. Returns the exit code: 1 if a line was refused. @throws StartRefusal, or any error reading the file */
export async function main(
  [file, ...more]: readonly string[],
  { print, printError }: Output,
): Promise<number> {
  if (file === undefined || more.length > 0) {
    printError(
      "portal: import-policyholders FILE: expected one file (- for standard input) with one policyholder per line, as JSON",
    );
    return 1;
  }
  const counts = await withPortalDatabase((store, keyring) =>
    importPolicyholders(store, keyring, linesOf(file), printError),
  );
  print(
    `Policyholders: ${counts.new} new, ${counts.changed} changed, ${counts.unchanged} unchanged; lines refused: ${counts.refused}`,
  );
  return counts.refused > 0 ? 1 : 0;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = file === "-" ? process.stdin : (await open(file)).createReadStream();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) yield line.replace(/^\uFEFF/, "");
}
