import type { Keyring } from "../../secrets/keyring.server";
import {
  lockCustomers,
  newCustomer,
  policiesNumbered,
  putCustomers,
  putPolicies,
  renewedCustomer,
  type CustomerRow,
  type HeldPolicy,
} from "../../services/accounts/write-customer.server";
import {
  putDocument,
  type DocumentChange,
  type KeptDocument,
} from "../../services/documents/write-documents.server";
import type { Tx } from "../../store/store.server";
import type { Candidate, ReadyLine } from "./ready-batch.server";

/** The outcome of importing a line. A refused line changes nothing. */
export type Imported =
  | { readonly kind: "new" | "changed" | "unchanged"; readonly documents: readonly DocumentChange[] }
  | { readonly kind: "refused"; readonly problem: string };

export interface LineResult {
  readonly number: number;
  readonly result: Imported;
}

type Refused = Extract<Imported, { kind: "refused" }>;

/** The changes that a line asks for, checked before anything is written. */
interface Plan {
  readonly kind: "new" | "changed" | "unchanged";
  readonly customer: CustomerRow | undefined;
  readonly policies: readonly HeldPolicy[];
  readonly documents: readonly KeptDocument[];
}

/**
 * Writes all lines except refused ones: policyholders and policies in a few statements, then the documents.
 * @returns the outcome of each line, in order
 */
export async function importBatch(
  tx: Tx,
  keyring: Keyring,
  lines: readonly ReadyLine[],
): Promise<readonly LineResult[]> {
  await waitForOtherImports(tx);
  const candidates = lines.flatMap(({ content }) => (content.ok ? [content.value] : []));
  const known = await lockCustomers(tx, candidates);
  const numbers = candidates.flatMap(({ holder }) => holder.policies.map(({ policyNo }) => policyNo));
  const kept = new Map((await policiesNumbered(tx, numbers)).map((policy) => [policy.policyNo, policy]));
  const plans = lines.map(({ number, content }) => ({
    number,
    plan: content.ok
      ? planFor(keyring, content.value, known.get(content.value), kept)
      : refused(content.problem),
  }));
  const wanted = plans.flatMap(({ plan }) => (plan.kind === "refused" ? [] : [plan]));
  await putCustomers(
    tx,
    wanted.flatMap(({ customer }) => customer ?? []),
  );
  await putPolicies(
    tx,
    wanted.flatMap(({ policies }) => policies),
  );
  const results: LineResult[] = [];
  for (const { number, plan } of plans)
    results.push({ number, result: plan.kind === "refused" ? plan : await finish(tx, keyring, plan) });
  return results;
}

/** Writes a line's documents, after its policyholder and policies. */
async function finish(tx: Tx, keyring: Keyring, { kind, documents }: Plan): Promise<Imported> {
  const changes: DocumentChange[] = [];
  for (const document of documents) changes.push(await putDocument(tx, keyring, document));
  const isChanged = changes.some((change) => change !== "unchanged");
  return { kind: kind === "unchanged" && isChanged ? "changed" : kind, documents: changes };
}

/**
 * Makes a second import wait until this transaction ends. Otherwise neither would see the customers that the other
 * adds.
 */
async function waitForOtherImports(tx: Tx): Promise<void> {
  await tx
    .insertInto("facts")
    .values({ name: "policyholders", value: "imported" })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: "imported" }))
    .execute();
}

function planFor(
  keyring: Keyring,
  { holder, documents, fresh, indexes }: Candidate,
  known: CustomerRow | undefined,
  kept: ReadonlyMap<string, HeldPolicy>,
): Plan | Refused {
  // A customer who was known when the line was prepared may have been erased since.
  const row = known ?? fresh ?? newCustomer(keyring, holder, indexes[0]);
  const foreign = holder.policies.findIndex(
    ({ policyNo }) => (kept.get(policyNo)?.customerId ?? row.id) !== row.id,
  );
  if (foreign !== -1)
    return refused(`policies.${foreign}: expected a policy that belongs to no other policyholder`);
  const policies = holder.policies
    .map(({ policyNo, name, validFrom, validTo, product }) => ({
      ...{ policyNo, name, validFrom, validTo, customerId: row.id },
      product: product ?? kept.get(policyNo)?.product ?? "other",
    }))
    .filter((policy) => !isKept(policy, kept.get(policy.policyNo)));
  if (!known) return { kind: "new", customer: row, policies, documents };
  const customer = renewedCustomer(keyring, known, holder);
  const isChanged = customer !== undefined || policies.length > 0;
  return { kind: isChanged ? "changed" : "unchanged", customer, policies, documents };
}

function refused(problem: string): Refused {
  return { kind: "refused", problem };
}

function isKept({ name, validFrom, validTo, product }: HeldPolicy, kept: HeldPolicy | undefined): boolean {
  return (
    kept?.name === name &&
    kept.validFrom === validFrom &&
    kept.validTo === validTo &&
    kept.product === product
  );
}
