import { sql } from "kysely";
import { readPid } from "~/contract/rules";
import type { PdfVerdict } from "../documents/pdf-work.server";
import type { Keyring } from "../secrets/keyring.server";
import {
  findCustomers,
  type FoundCustomer,
  lockCustomers,
  newCustomer,
  policiesNumbered,
  putCustomers,
  putPolicies,
} from "../customers/write-customer.server";
import { soughtPid } from "../customers/customers.server";
import {
  type DocumentChange,
  isKept,
  keptContent,
  type KeptDocument,
  putDocument,
} from "../documents/write-documents.server";
import { audit, type AuditEventName, type StaffSource } from "../audit/audit-event.server";
import {
  type DocumentMark,
  documentsOf,
  type KeptOut,
  keptOut,
  takeBackDocument,
  takeBackPolicy,
  type TakingBack,
} from "../documents/take-back.server";
import type { Reader, Tx } from "../store/store.server";
import type { Limits } from "~/platform/config/limits";
import { HOUR, isoDayInPoland, MINUTE } from "~/platform/time.server";
import { putPhone } from "../customers/phones.server";
import { notify, type NoticeDependencies } from "../notices/notices.server";
import { rowsAmong } from "../store/listed-rows.server";
import {
  type Candidate,
  type LeftOut,
  type Plan,
  planFor,
  refused,
  type Refused,
  type SeenNumbers,
  type WithdrawnDocument,
} from "./plan-line.server";
import { subjectOf } from "../support/account-state.server";
import { accountOf } from "../customers/customers.server";
import { readDocuments } from "./document-files.server";
import type { Found, Warning } from "./line-problems.server";
import type { Line } from "./policyholder-batches.server";

/** A line whose files were read, or its problem. */
interface ReadLine {
  readonly number: number;
  readonly content: Found<Omit<Candidate, "fresh">>;
  readonly warnings: readonly Warning[];
}

/** A line that can be written: it has the encrypted row of a new policyholder. Or its problem. */
export interface PreparedLine extends Omit<ReadLine, "content"> {
  readonly content: Found<Candidate>;
}

/** The dependencies of preparing lines. */
export interface Preparation {
  readonly reader: Reader;
  readonly keyring: Keyring;
  /** Whether a PDF can be protected later. @throws PdfWorkBusy if that takes too long to find out */
  readonly check: (content: Buffer) => Promise<PdfVerdict>;
  /** Called for each line. It may throw, to stop. */
  readonly onLine: () => void;
}

/** Reads the files of all lines, and encrypts new policyholders, outside of the transaction, so that it stays short. */
export async function prepareBatch(
  preparation: Preparation,
  lines: readonly Line[],
): Promise<readonly PreparedLine[]> {
  const read: ReadLine[] = [];
  for (const line of lines) {
    preparation.onLine();
    const { number, reading } = line;
    const warnings = reading.ok ? reading.warnings : [];
    read.push({ number, warnings, content: await readFiles(preparation, line) });
  }
  const { reader, keyring } = preparation;
  const known = await findCustomers(
    reader,
    read.flatMap(({ content }) => (content.ok ? [content.value] : [])),
  );
  return read.map(({ content, ...line }) => {
    if (!content.ok) return { ...line, content };
    const { value } = content;
    const fresh = known.has(value) ? undefined : newCustomer(keyring, value.holder);
    return { ...line, content: { ok: true, value: { ...value, fresh } } };
  });
}

async function readFiles(
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

/** The outcome for a document that a line lists. */
export type ListedChange = DocumentChange | "withdrawn" | "leftOut";

/** The outcome of importing a line. A refused line changes nothing. */
export type Imported =
  | {
      readonly kind: "new" | "changed" | "unchanged";
      readonly documents: readonly ListedChange[];
      readonly policies: readonly ("withdrawn" | "leftOut")[];
      readonly leftOut: readonly LeftOut[];
      /** The fields of the line that change something: none if the policyholder is new. */
      readonly fields: readonly string[];
    }
  | Refused;

export interface LineResult {
  readonly number: number;
  readonly result: Imported;
  readonly warnings: readonly Warning[];
}

/** The dependencies of writing lines. */
export interface Writing extends TakingBack {
  readonly limits: TakingBack["limits"] & Pick<Limits, "NEW_PHONE_HOURS">;
  /** The origin of the changes, for the audit. */
  readonly source: StaffSource;
  /** For notices to customers whose phone number changes. */
  readonly notices: NoticeDependencies;
  /** Whether the insurer has verified each changed phone number (`--phone-verified`). */
  readonly isPhoneVerified: boolean;
  /** The ids of withdrawn documents that are imported again (`--let-in`). */
  readonly letIn: ReadonlySet<string>;
}

/**
 * Writes all lines except refused ones: policyholders and policies in a few statements, then the rest line by line.
 * @param seen the policy numbers of the file's earlier lines
 * @returns the outcome of each line, in order
 */
export async function importBatch(
  tx: Tx,
  writing: Writing,
  lines: readonly PreparedLine[],
  seen: SeenNumbers,
): Promise<readonly LineResult[]> {
  await waitForOtherImports(tx);
  const { keyring } = writing;
  const candidates = lines.flatMap(({ content }) => (content.ok ? [content.value] : []));
  const known = await lockCustomers(tx, candidates);
  const numbers = candidates.flatMap(({ holder }) => holder.policies.map(({ policyNo }) => policyNo));
  const kept = await policiesNumbered(tx, numbers);
  const out = await keptOut(tx, keyring, numbers);
  const newPhoneFrom = await newPhonesFrom(tx, writing, [...known.values()]);
  const today = isoDayInPoland(writing.now);
  const plans = lines.map(({ number, content, warnings }) => {
    if (!content.ok) return { number, warnings, plan: refused(content.problem) };
    const found = known.get(content.value);
    const stored = {
      known: found,
      kept,
      keptOut: out,
      seen,
      now: writing.now,
      today,
      newPhoneFrom: newPhoneFrom(found),
    };
    return { number, warnings, plan: planFor(keyring, content.value, stored) };
  });
  const wanted = plans.flatMap(({ plan }) => (plan.kind === "refused" ? [] : [plan]));
  await putCustomers(
    tx,
    wanted.flatMap(({ customer }) => customer ?? []),
  );
  await putPolicies(
    tx,
    keyring,
    wanted.flatMap(({ policies }) => policies),
  );
  const results: LineResult[] = [];
  for (const { plan, ...line } of plans)
    results.push({
      ...line,
      result: plan.kind === "refused" ? plan : await writeDocuments(tx, writing, plan, out),
    });
  return results;
}

/** When new phone numbers come into use: later for a customer with an account, unless the number is verified. */
async function newPhonesFrom(
  tx: Tx,
  { now, limits, isPhoneVerified }: Writing,
  known: readonly FoundCustomer[],
): Promise<(found: FoundCustomer | undefined) => number> {
  const ids = known.flatMap((found) => (found === "unclear" ? [] : found.id));
  const accounts = await rowsAmong(tx, "accounts", "customer_id", ids);
  const registered = new Set(accounts.map(({ customer_id }) => customer_id));
  return (found) =>
    found !== undefined && found !== "unclear" && registered.has(found.id) && !isPhoneVerified
      ? now + limits.NEW_PHONE_HOURS * HOUR
      : now;
}

/** After its policyholder and policies, writes a line's documents, and takes back withdrawn policies and documents. */
async function writeDocuments(tx: Tx, writing: Writing, plan: Plan, out: KeptOut): Promise<Imported> {
  await writeDetails(tx, writing, plan);
  const documents: ListedChange[] = [];
  const leftOut = [...plan.leftOut];
  const fields: string[] = [...plan.details, ...plan.changed];
  for (const document of plan.documents) {
    const mark = out.document(document);
    if (mark && (await staysOut(tx, writing, mark, document))) {
      const { id, at, isSameContent } = mark;
      leftOut.push({ where: document.where, at, ...(!isSameContent && { letIn: id }) });
      documents.push("leftOut");
      continue;
    }
    const change = await putDocument(tx, writing.keyring, document);
    if (change === "new" || change === "changed") fields.push(document.where);
    documents.push(change);
    if (mark && change !== "unchanged" && writing.letIn.has(mark.id))
      await auditChange(tx, writing, { event: "document-let-in", customerId: plan.customerId });
  }
  for (const document of plan.withdrawnDocuments)
    if (await withdrawDocument(tx, writing, document)) {
      fields.push(document.where);
      documents.push("withdrawn");
    }
  for (const policy of plan.withdrawn) {
    await takeBackPolicy(tx, writing, policy);
    await auditChange(tx, writing, { event: "policy-removed", customerId: policy.customer_id });
  }
  return {
    kind: plan.kind === "unchanged" && fields.length > 0 ? "changed" : plan.kind,
    fields: plan.kind === "new" ? [] : fields,
    documents,
    policies: [
      ...plan.withdrawn.map(() => "withdrawn" as const),
      ...plan.leftOut.map(() => "leftOut" as const),
    ],
    leftOut,
  };
}

/**
 * A withdrawn document is imported again only with `--let-in ID`. If another version of the same name has been imported
 * since, that version may be updated, but never back to the withdrawn content.
 */
async function staysOut(
  tx: Tx,
  { keyring, letIn }: Writing,
  { id, isSameContent }: DocumentMark,
  document: KeptDocument,
): Promise<boolean> {
  if (letIn.has(id)) return false;
  const kept = await keptContent(tx, keyring, document);
  return kept === "none" || (kept === "other" && isSameContent);
}

/** Writes a policyholder's numbers, and audits changed details; a notice of a delayed number goes to the old one. */
async function writeDetails(tx: Tx, writing: Writing, { customerId, phone, details }: Plan): Promise<void> {
  if (phone) await putPhone(tx, writing.keyring, customerId, phone);
  if (details.length > 0)
    await auditChange(tx, writing, { event: "details-changed", customerId, reason: details.join(", ") });
  if (phone?.isDelayed)
    await notify(tx, writing.notices, writing.source, { event: "details-changed", customerId });
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

interface CustomerChange {
  readonly event: AuditEventName;
  readonly customerId: string;
  /** Replaces the reason of the whole import. */
  readonly reason?: string;
}

async function auditChange(
  tx: Tx,
  { source, now }: Writing,
  { event, customerId, reason }: CustomerChange,
): Promise<void> {
  const accountId = await accountOf(tx, customerId);
  await audit(tx, source, now, { event, ...subjectOf({ customerId, accountId }), reason });
}

/** How long an import waits for the lock of another command, which may be writing many documents. */
const LOCK_WAIT_MS = MINUTE;

/**
 * Makes an import wait until this transaction ends. Otherwise two imports would not see each other's new customers, and
 * an import could bring back a policy or document that is being taken back.
 */
export async function waitForOtherImports(tx: Tx): Promise<void> {
  const { setLockTimeout, initial } = await lockTimeout(tx);
  // This transaction holds no other lock yet, so no customer waits meanwhile.
  await setLockTimeout(`${LOCK_WAIT_MS}ms`);
  await tx
    .insertInto("facts")
    .values({ name: "policyholders", value: "imported" })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: "imported" }))
    .execute();
  await setLockTimeout(initial);
}

/** The lock timeout on PostgreSQL, and a function that changes it until the transaction ends. */
async function lockTimeout(tx: Tx) {
  if (!tx.isPostgres) return { initial: "", setLockTimeout: () => Promise.resolve() };
  const shown = await sql<{ initial: string }>`select current_setting('lock_timeout') as initial`.execute(tx);
  return {
    initial: shown.rows[0]?.initial ?? "",
    setLockTimeout: async (time: string) => {
      await sql`select set_config('lock_timeout', ${time}, true)`.execute(tx);
    },
  };
}
