import { type ReadNumber, readPid } from "~/contract/rules";
import type { PdfVerdict } from "~/backend/documents/pdf-work.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import {
  type CustomerRow,
  filledCustomer,
  findCustomers,
  type FoundCustomer,
  type HeldPolicy,
  lockCustomers,
  newCustomer,
  policiesNumbered,
  type PolicyRow,
  putCustomers,
  putPolicies,
  renewedCustomer,
  type SoughtCustomer,
} from "~/backend/services/accounts/write-customer.server";
import { meantByNumber, soughtPid } from "~/backend/services/accounts/customers.server";
import {
  type DocumentChange,
  isKept,
  type KeptDocument,
  putDocument,
} from "~/backend/services/documents/write-documents.server";
import type { Reader, Tx } from "~/backend/store/store.server";
import { type Found, readDocuments } from "./document-files.server";
import type { Line } from "./policyholder-batches.server";
import type { ListedPolicy, Policyholder, SeenNumbers } from "./policyholder-line.server";

/** A line that is ready to be written, with its files read, or what is wrong with it. */
export interface ReadyLine {
  readonly number: number;
  readonly content: Found<Candidate>;
}

/** A policyholder from a valid line. */
export interface Candidate extends SoughtCustomer {
  readonly holder: Policyholder;
  readonly documents: readonly KeptDocument[];
  /** The row of a new policyholder; undefined if they are known already. */
  readonly fresh: CustomerRow | undefined;
}

/** What it takes to get lines ready. */
export interface Preparation {
  readonly reader: Reader;
  readonly keyring: Keyring;
  /** Whether a PDF can be protected later. @throws PdfWorkBusy if that takes too long to find out */
  readonly check: (content: Buffer) => Promise<PdfVerdict>;
  /** Called for each line. It may throw, to stop. */
  readonly onLine: () => void;
}

/**
 * Reads the files of all lines, and encrypts new policyholders. Done outside the transaction, because others wait for
 * that.
 */
export async function readyBatch(
  preparation: Preparation,
  lines: readonly Line[],
): Promise<readonly ReadyLine[]> {
  const sought: { number: number; content: Found<Omit<Candidate, "fresh">> }[] = [];
  for (const line of lines) {
    preparation.onLine();
    sought.push({ number: line.number, content: await soughtIn(preparation, line) });
  }
  const { reader, keyring } = preparation;
  const known = await findCustomers(
    reader,
    sought.flatMap(({ content }) => (content.ok ? [content.value] : [])),
  );
  return sought.map(({ number, content }) => {
    if (!content.ok) return { number, content };
    const { value } = content;
    const fresh = known.has(value) ? undefined : newCustomer(keyring, value.holder);
    return { number, content: { ok: true, value: { ...value, fresh } } };
  });
}

async function soughtIn(
  { reader, keyring, check }: Preparation,
  { reading, files }: Line,
): Promise<Found<Omit<Candidate, "fresh">>> {
  if (!reading.ok) return reading;
  const { holder } = reading;
  // A kept document was checked when it was imported.
  const checkNew = async (document: KeptDocument) =>
    (await isKept(reader, keyring, document)) ? "fine" : check(document.content);
  const documents = await readDocuments(checkNew, files);
  if (!documents.ok) return documents;
  const pid = soughtPid(keyring, readPid(holder.pid));
  return { ok: true, value: { kind: holder.kind, pid, holder, documents: documents.value } };
}

/** The policies of a line, as they are to be stored. */
export interface PlacedPolicies {
  /** Only those that must be written. */
  readonly policies: readonly HeldPolicy[];
  /** Whether that changes anything that a customer sees. */
  readonly isChanged: boolean;
  /** The stored spelling of each number, by the form in which it was read. */
  readonly spellings: ReadonlyMap<string, string>;
}

/**
 * Finds out which stored policy each one of a line is. Another spelling of a stored number is that policy if its holder
 * is the same, and the stored spelling stays. A policy never changes hands.
 * @param kept the stored policies, by the compared form of their numbers
 */
export function placePolicies(
  holder: Policyholder,
  customerId: string,
  kept: ReadonlyMap<string, readonly PolicyRow[]>,
  seen: SeenNumbers,
): Found<PlacedPolicies> {
  const policies: HeldPolicy[] = [];
  const spellings = new Map<string, string>();
  let isChanged = false;
  for (const [nth, listed] of holder.policies.entries()) {
    const same = kept.get(listed.policyNo.compared) ?? [];
    const [row] = meantByNumber(listed.policyNo, same);
    const fault = faultOf(listed.policyNo, customerId, { same, row, seen });
    if (fault !== undefined) return { ok: false, problem: `policies.${nth}${fault}` };
    const policy = renewed(listed, customerId, row);
    spellings.set(listed.policyNo.read, policy.policyNo);
    const isSame = isSamePolicy(policy, row);
    isChanged ||= !isSame;
    // Rows of an earlier release lack the form in which numbers are compared.
    if (!isSame || row?.policy_no_compared === null) policies.push(policy);
  }
  return { ok: true, value: { policies, isChanged, spellings } };
}

interface StoredPolicy {
  /** All with this number, in whatever spelling. */
  readonly same: readonly PolicyRow[];
  /** The one that is meant, if it is clear. */
  readonly row: PolicyRow | undefined;
  readonly seen: SeenNumbers;
}

function faultOf(
  number: ReadNumber,
  customerId: string,
  { same, row, seen }: StoredPolicy,
): string | undefined {
  if ((row?.customer_id ?? customerId) !== customerId)
    return ": expected a policy that belongs to no other policyholder";
  if (same.length > 1)
    return row
      ? undefined
      : ".policyNo: expected the exact spelling: several policies differ only in spaces and hyphens";
  const spelling = seen.spellingOf(number);
  if (spelling === "another") return ".policyNo: expected one spelling of a policy number in a file";
  const isExact = row === undefined || row.policy_no === number.read || row.policy_no === number.typed;
  return spelling === "forgotten" && !isExact
    ? ".policyNo: expected the stored spelling, so far into a file"
    : undefined;
}

function renewed(
  { policyNo, name, validFrom, validTo, product }: ListedPolicy,
  customerId: string,
  row: PolicyRow | undefined,
): HeldPolicy {
  return {
    ...{ policyNo: row?.policy_no ?? policyNo.read, name, validFrom, validTo, customerId },
    product: product ?? row?.product ?? "other",
  };
}

function isSamePolicy(
  { name, validFrom, validTo, product }: HeldPolicy,
  row: PolicyRow | undefined,
): boolean {
  return (
    row?.name === name && row.valid_from === validFrom && row.valid_to === validTo && row.product === product
  );
}

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
