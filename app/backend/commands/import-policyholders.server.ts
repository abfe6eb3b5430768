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
import { besidePortal, type Voice } from "./beside-portal.server";
import { batchesOf, type Line } from "./policyholder-batches.server";
import type { Policyholder } from "./policyholder-line.server";

/** What became of a line. Only `refused` is bad: nothing of it was written. */
type Imported =
  | { readonly kind: "new" | "changed" | "unchanged" }
  | { readonly kind: "refused"; readonly problem: string };

/** How many lines had each end. */
export type ImportCounts = Record<Imported["kind"], number>;

/** What a line comes to: everything is checked before anything is written. */
interface Plan {
  readonly end: Imported;
  readonly customer?: CustomerRow | undefined;
  readonly policies?: readonly HeldPolicy[];
}

/**
 * Writes the policyholders of a file with a JSON object in each line. One is known by kind and identifier: what is new
 * is added, what has changed is brought up to date, nothing is deleted. A policy never changes hands here: whoever got
 * another's number by a slip would see another's contract. Each line is written whole or not at all, and the same file
 * again changes nothing.
 * @param complain hears of each line that is refused: its number and the reason, and nothing of what stands in it
 */
export async function importPolicyholders(
  store: Store,
  keyring: Keyring,
  lines: AsyncIterable<string>,
  complain: (line: string) => void,
): Promise<ImportCounts> {
  const counts: ImportCounts = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  for await (const batch of batchesOf(lines)) {
    const ends = await store.write((tx) => importBatch(tx, keyring, batch));
    for (const { number, end } of ends) {
      counts[end.kind] += 1;
      if (end.kind === "refused") complain(`line ${number}: ${end.problem}`);
    }
  }
  return counts;
}

/** A few statements for all lines. One that is refused is left out, and its neighbours are written. */
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

/** Of two imports at once one waits, until the end of the transaction: they would not see each other's people. */
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
  if (foreign !== -1) return refused(`policies.${foreign}: expected a policy that is nobody else's`);
  const policies = holder.policies
    .map((policy) => ({ ...policy, customerId: row.id }))
    .filter((policy) => !isKept(policy, kept.get(policy.policyNo)));
  if (!known) return { end: { kind: "new" }, customer: row, policies };
  const customer = renewedCustomer(keyring, known, holder);
  const isChanged = customer !== undefined || policies.length > 0;
  return { end: { kind: isChanged ? "changed" : "unchanged" }, customer, policies };
}

function refused(problem: string): Plan {
  return { end: { kind: "refused", problem } };
}

function isKept({ name, validFrom, validTo }: HeldPolicy, kept: HeldPolicy | undefined): boolean {
  return kept?.name === name && kept.validFrom === validFrom && kept.validTo === validTo;
}

/** `import-policyholders FILE`. Gives the exit code: 1 when a line was refused. @throws StartRefusal, and why not read */
export async function main([file, ...more]: readonly string[], { say, complain }: Voice): Promise<number> {
  if (file === undefined || more.length > 0) {
    complain(
      "portal: import-policyholders FILE: expected one file (- is standard input) with a policyholder as JSON in each line",
    );
    return 1;
  }
  const counts = await besidePortal((store, keyring) =>
    importPolicyholders(store, keyring, linesOf(file), complain),
  );
  say(
    `Policyholders: ${counts.new} new, ${counts.changed} changed, ${counts.unchanged} unchanged; lines refused: ${counts.refused}`,
  );
  return counts.refused > 0 ? 1 : 0;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = file === "-" ? process.stdin : (await open(file)).createReadStream();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) yield line.replace(/^\uFEFF/, "");
}
