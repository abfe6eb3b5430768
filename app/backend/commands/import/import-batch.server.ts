import type { Keyring } from "../../secrets/keyring.server";
import {
  type CustomerRow,
  filledCustomer,
  type FoundCustomer,
  type HeldPolicy,
  lockCustomers,
  newCustomer,
  policiesNumbered,
  type PolicyRow,
  putCustomers,
  putPolicies,
  renewedCustomer,
} from "../../services/accounts/write-customer.server";
import {
  putDocument,
  type DocumentChange,
  type KeptDocument,
} from "../../services/documents/write-documents.server";
import type { Tx } from "../../store/store.server";
import { placePolicies } from "./place-policies.server";
import type { Candidate, ReadyLine } from "./ready-batch.server";
import type { SeenNumbers } from "./seen-numbers.server";

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
  /** Undefined if the row stays as it is. */
  readonly customer: CustomerRow | undefined;
  readonly policies: readonly HeldPolicy[];
  readonly documents: readonly KeptDocument[];
}

/**
 * Writes all lines except refused ones: policyholders and policies in a few statements, then the documents.
 * @param seen the policy numbers of the file's earlier lines
 * @returns the outcome of each line, in order
 */
export async function importBatch(
  tx: Tx,
  keyring: Keyring,
  lines: readonly ReadyLine[],
  seen: SeenNumbers,
): Promise<readonly LineResult[]> {
  await waitForOtherImports(tx);
  const candidates = lines.flatMap(({ content }) => (content.ok ? [content.value] : []));
  const known = await lockCustomers(tx, candidates);
  const numbers = candidates.flatMap(({ holder }) => holder.policies.map(({ policyNo }) => policyNo));
  const kept = await policiesNumbered(tx, numbers);
  const plans = lines.map(({ number, content }) => ({
    number,
    plan: content.ok
      ? planFor(keyring, content.value, { known: known.get(content.value), kept, seen })
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

/** What is stored already, and what the file's earlier lines have said. */
interface Stored {
  readonly known: FoundCustomer | undefined;
  readonly kept: ReadonlyMap<string, readonly PolicyRow[]>;
  readonly seen: SeenNumbers;
}

function planFor(
  keyring: Keyring,
  { holder, documents, fresh }: Candidate,
  { known, kept, seen }: Stored,
): Plan | Refused {
  if (known === "unclear")
    return refused("pid: expected the exact spelling: several differ only in spaces and hyphens");
  // A customer who was known when the line was prepared may have been erased since.
  const row = known ?? fresh ?? newCustomer(keyring, holder);
  const placed = placePolicies(holder, row.id, kept, seen);
  if (!placed.ok) return refused(placed.problem);
  const { policies, isChanged, spellings } = placed.value;
  const stored = documents.map((document) => ({
    ...document,
    policyNo: spellings.get(document.policyNo) ?? document.policyNo,
  }));
  if (!known) return { kind: "new", customer: row, policies, documents: stored };
  const renewed = renewedCustomer(keyring, known, holder);
  const customer = filledCustomer(keyring, renewed ?? known) ?? renewed;
  const kind = renewed !== undefined || isChanged ? "changed" : "unchanged";
  return { kind, customer, policies, documents: stored };
}

function refused(problem: string): Refused {
  return { kind: "refused", problem };
}
