import { readPid } from "~/contract/rules";
import type { PdfVerdict } from "~/backend/documents/pdf-work.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import {
  type CustomerRow,
  filledCustomer,
  findCustomers,
  type FoundCustomer,
  lockCustomers,
  newCustomer,
  policiesNumbered,
  putCustomers,
  putPolicies,
  renewedCustomer,
  type SoughtCustomer,
} from "~/backend/services/accounts/write-customer.server";
import { soughtPid } from "~/backend/services/accounts/customers.server";
import {
  type DocumentChange,
  isKept,
  type KeptDocument,
  putDocument,
} from "~/backend/services/documents/write-documents.server";
import { audit, type AuditEventName, type AuditSource } from "~/backend/audit-event.server";
import {
  documentsOf,
  type KeptOut,
  keptOut,
  takeBackDocument,
  takeBackPolicy,
  type TakingBack,
} from "~/backend/services/documents/take-back.server";
import type { Reader, Tx } from "~/backend/store/store.server";
import { subjectOf } from "../support/account-state.server";
import { accountOf } from "../kit/choose-customer.server";
import { type Found, type ReadDocument, readDocuments } from "./document-files.server";
import {
  type LeftOut,
  type PlacedPolicies,
  placePolicies,
  type StoredPolicies,
} from "./place-policies.server";
import type { Line } from "./policyholder-batches.server";
import type { NamedDocument, Policyholder, SeenNumbers } from "./policyholder-line.server";

/** A line that is ready to be written, with its files read, or what is wrong with it. */
export interface ReadyLine {
  readonly number: number;
  readonly content: Found<Candidate>;
}

/** A policyholder from a valid line. */
export interface Candidate extends SoughtCustomer {
  readonly holder: Policyholder;
  readonly documents: readonly ReadDocument[];
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

/** What became of a document that a line lists. */
export type ListedChange = DocumentChange | "withdrawn" | "leftOut";

/** The outcome of importing a line. A refused line changes nothing. */
export type Imported =
  | {
      readonly kind: "new" | "changed" | "unchanged";
      readonly documents: readonly ListedChange[];
      readonly policies: readonly ("withdrawn" | "leftOut")[];
      readonly leftOut: readonly LeftOut[];
    }
  | { readonly kind: "refused"; readonly problem: string };

export interface LineResult {
  readonly number: number;
  readonly result: Imported;
}

type Refused = Extract<Imported, { kind: "refused" }>;

/** The changes that a line asks for, checked before anything is written. */
interface Plan extends Pick<PlacedPolicies, "policies" | "withdrawn" | "leftOut"> {
  readonly kind: "new" | "changed" | "unchanged";
  readonly customerId: string;
  /** Undefined if the row stays as it is. */
  readonly customer: CustomerRow | undefined;
  readonly documents: readonly ReadDocument[];
  readonly withdrawnDocuments: readonly WithdrawnDocument[];
}

interface WithdrawnDocument extends NamedDocument {
  readonly policyNo: string;
}

/** What it takes to write lines. */
export interface Writing extends TakingBack {
  /** What the audit records changes under. */
  readonly source: AuditSource;
}

/**
 * Writes all lines except refused ones: policyholders and policies in a few statements, then the rest line by line.
 * @param seen the policy numbers of the file's earlier lines
 * @returns the outcome of each line, in order
 */
export async function importBatch(
  tx: Tx,
  writing: Writing,
  lines: readonly ReadyLine[],
  seen: SeenNumbers,
): Promise<readonly LineResult[]> {
  await waitForOtherImports(tx);
  const { keyring } = writing;
  const candidates = lines.flatMap(({ content }) => (content.ok ? [content.value] : []));
  const known = await lockCustomers(tx, candidates);
  const numbers = candidates.flatMap(({ holder }) => holder.policies.map(({ policyNo }) => policyNo));
  const kept = await policiesNumbered(tx, numbers);
  const out = await keptOut(tx, keyring, numbers);
  const plans = lines.map(({ number, content }) => ({
    number,
    plan: content.ok
      ? planFor(keyring, content.value, { known: known.get(content.value), kept, keptOut: out, seen })
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
    results.push({ number, result: plan.kind === "refused" ? plan : await finish(tx, writing, plan, out) });
  return results;
}

/** Writes a line's documents, and takes back what it withdraws, after its policyholder and policies. */
async function finish(tx: Tx, writing: Writing, plan: Plan, out: KeptOut): Promise<Imported> {
  const documents: ListedChange[] = [];
  const leftOut = [...plan.leftOut];
  for (const document of plan.documents) {
    const at = out.document(document);
    if (at !== undefined) leftOut.push({ what: "documents", where: document.where, at });
    documents.push(at === undefined ? await putDocument(tx, writing.keyring, document) : "leftOut");
  }
  for (const document of plan.withdrawnDocuments)
    if (await withdrawDocument(tx, writing, document)) documents.push("withdrawn");
  for (const policy of plan.withdrawn) {
    await takeBackPolicy(tx, writing, policy);
    await auditChange(tx, writing, { event: "policy-removed", customerId: policy.customer_id });
  }
  const isChanged =
    plan.withdrawn.length > 0 || documents.some((change) => change !== "unchanged" && change !== "leftOut");
  return {
    kind: plan.kind === "unchanged" && isChanged ? "changed" : plan.kind,
    documents,
    policies: [
      ...plan.withdrawn.map(() => "withdrawn" as const),
      ...plan.leftOut.map(() => "leftOut" as const),
    ],
    leftOut,
  };
}

/** Returns false if there is no such document. */
async function withdrawDocument(
  tx: Tx,
  writing: Writing,
  { policyNo, kind, name, issuedOn }: WithdrawnDocument,
): Promise<boolean> {
  const policy = await tx
    .selectFrom("policies")
    .selectAll()
    .where("policy_no", "=", policyNo)
    .executeTakeFirst();
  const document = (await documentsOf(tx, policyNo)).find(
    (each) => each.kind === kind && each.name === name && each.issued_on === issuedOn,
  );
  if (!policy || !document) return false;
  await takeBackDocument(tx, writing, policy, document);
  await auditChange(tx, writing, { event: "document-removed", customerId: policy.customer_id });
  return true;
}

async function auditChange(
  tx: Tx,
  { source, now }: Writing,
  { event, customerId }: { readonly event: AuditEventName; readonly customerId: string },
): Promise<void> {
  const accountId = await accountOf(tx, customerId);
  await audit(tx, source, now, { event, ...subjectOf({ customerId, accountId }) });
}

/**
 * Makes an import wait until this transaction ends. Otherwise two would not see the customers that the other adds, and
 * an import could bring back what is being taken back.
 */
export async function waitForOtherImports(tx: Tx): Promise<void> {
  await tx
    .insertInto("facts")
    .values({ name: "policyholders", value: "imported" })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: "imported" }))
    .execute();
}

/** What is stored already, and what the file's earlier lines have said. */
interface Stored extends StoredPolicies {
  readonly known: FoundCustomer | undefined;
}

function planFor(
  keyring: Keyring,
  { holder, documents, fresh }: Candidate,
  { known, ...stored }: Stored,
): Plan | Refused {
  if (known === "unclear")
    return refused("pid: expected the exact spelling: several differ only in spaces and hyphens");
  // A customer who was known when the line was prepared may have been erased since.
  const row = known ?? fresh ?? newCustomer(keyring, holder);
  const placed = placePolicies(holder, row.id, stored);
  if (!placed.ok) return refused(placed.problem);
  const { policies, isChanged, spellings, withdrawn, leftOut } = placed.value;
  const plan = {
    ...{ policies, withdrawn, leftOut, customerId: row.id },
    documents: documents.flatMap((document) => {
      const policyNo = spellings.get(document.policyNo);
      return policyNo === undefined ? [] : [{ ...document, policyNo }];
    }),
    withdrawnDocuments: withdrawnIn(holder, spellings),
  };
  // Someone who is new and all of whose policies are withdrawn never becomes a customer.
  if (!known)
    return policies.length > 0
      ? { kind: "new", customer: row, ...plan }
      : { kind: "unchanged", customer: undefined, ...plan };
  const renewed = renewedCustomer(keyring, known, holder);
  const customer = filledCustomer(keyring, renewed ?? known) ?? renewed;
  return { kind: renewed !== undefined || isChanged ? "changed" : "unchanged", customer, ...plan };
}

function withdrawnIn(
  { policies }: Policyholder,
  spellings: ReadonlyMap<string, string>,
): readonly WithdrawnDocument[] {
  return policies.flatMap(({ policyNo: { read }, documents }) => {
    const policyNo = spellings.get(read);
    if (policyNo === undefined) return [];
    return documents.flatMap(({ withdrawn, kind, name, issuedOn }) =>
      withdrawn ? [{ policyNo, kind, name, issuedOn }] : [],
    );
  });
}

function refused(problem: string): Refused {
  return { kind: "refused", problem };
}
