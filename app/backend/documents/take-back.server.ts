import { randomUUID } from "node:crypto";
import type { NotNull } from "kysely";
import { z } from "zod";
import { PRODUCTS } from "~/contract/customer-area.server";
import { premium, type Premium } from "~/contract/premium.server";
import { type ReadNumber, readPolicyNo } from "~/contract/rules";
import type { Limits } from "~/platform/config/limits";
import { DAY, isoDayInPoland } from "~/platform/time.server";
import { contentMark, contentOpener } from "../secrets/data-key.server";
import { type Keyring, open, seal } from "../secrets/keyring.server";
import { meantByNumber } from "../customers/customers.server";
import { premiumOf, sealPremium } from "../customers/premiums.server";
import { rowsAmong } from "../store/listed-rows.server";
import type { Reader, Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import type { KeptDocument } from "./write-documents.server";

/*
 * Taking back: a policy or a document disappears from its customer's area at once. Its row moves to `taken_back`, which
 * keeps imports from bringing it back. The rest is kept for a while, sealed, in case it is restored.
 */

const PART = ["document_id", "nth", "content_sealed"] as const;

/** The dependencies of taking back and restoring. `now` in ms since 1970. */
export interface TakingBack {
  readonly keyring: Keyring;
  readonly limits: Pick<Limits, "RESTORE_DAYS">;
  readonly now: number;
}

type PolicyRow = Tables["policies"];
type DocumentRow = Tables["documents"];
type TakenBackRow = Tables["taken_back"];

/** The sealed part of a policy's row. */
const policyRest = z.object({
  name: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  product: z.enum(PRODUCTS),
  // Stored in clear inside the sealed row: key rotation re-encrypts rows, not values inside them.
  premium: premium.optional(),
});
/** The sealed part of a document's row. */
const documentRest = z.object({ bytes: z.number(), contentMac: z.string() });

/** Takes a policy back from its customer, with its documents. Returns the number of documents. */
export async function takeBackPolicy(tx: Tx, deps: TakingBack, policy: PolicyRow): Promise<number> {
  const documents = await documentsOf(tx, policy.policy_no);
  await putPolicyTakenBack(tx, deps, policy);
  for (const document of documents) await takeBackDocument(tx, deps, policy, document, policy.id);
  await tx.deleteFrom("policies").where("policy_no", "=", policy.policy_no).execute();
  return documents.length;
}

/** The documents of a policy, ordered by day of issue and name. */
export function documentsOf(reader: Reader, policyNo: string): Promise<DocumentRow[]> {
  return reader
    .selectFrom("documents")
    .selectAll()
    .where("policy_no", "=", policyNo)
    .orderBy("issued_on")
    .orderBy("name")
    .execute();
}

const NO_DOCUMENT = {
  kind: null,
  name: null,
  issued_on: null,
  content_mac: null,
  key_version: null,
  wrapped_key: null,
  with_policy: null,
};

function namedBy({ customer_id, policy_no }: PolicyRow, { now }: TakingBack) {
  const policy_no_compared = readPolicyNo(policy_no).compared;
  return { customer_id, policy_no, policy_no_compared, taken_back_at: now };
}

async function putPolicyTakenBack(tx: Tx, deps: TakingBack, policy: PolicyRow): Promise<void> {
  const { id, name, valid_from: validFrom, valid_to: validTo, product } = policy;
  const rest: z.infer<typeof policyRest> = {
    name,
    validFrom,
    validTo,
    product,
    premium: premiumOf(deps.keyring, policy),
  };
  await putTakenBack(tx, deps, rest, { ...namedBy(policy, deps), id, ...NO_DOCUMENT });
}

/** Takes a document back. @param withPolicy the id of the policy that it is taken back with */
export async function takeBackDocument(
  tx: Tx,
  deps: TakingBack,
  policy: PolicyRow,
  document: DocumentRow,
  withPolicy: string | null = null,
): Promise<void> {
  const { id, kind, name, issued_on, key_version, wrapped_key, bytes, content_mac } = document;
  const mark = await markOf(tx, deps.keyring, document);
  await putTakenBack(
    tx,
    deps,
    { bytes, contentMac: content_mac },
    {
      ...namedBy(policy, deps),
      id,
      kind,
      name,
      issued_on,
      key_version,
      wrapped_key,
      content_mac: mark ?? null,
      with_policy: withPolicy,
    },
  );
  await tx
    .insertInto("restorable_parts")
    .columns(PART)
    .expression(tx.selectFrom("document_parts").select(PART).where("document_id", "=", id))
    .execute();
  await tx.deleteFrom("documents").where("id", "=", id).execute();
}

async function putTakenBack(tx: Tx, deps: TakingBack, rest: object, row: TakenBackRow): Promise<void> {
  const ends_at = row.taken_back_at + deps.limits.RESTORE_DAYS * DAY;
  const row_sealed = seal(deps.keyring, sealedRow(row.id), JSON.stringify(rest));
  await tx.insertInto("taken_back").values(row).execute();
  await tx.insertInto("restorable").values({ id: row.id, row_sealed, ends_at }).execute();
}

const sealedRow = (row: string) => ({ table: "restorable", column: "row_sealed", row }) as const;

/** Undefined if the content can't be read: even a damaged document can be taken back. */
async function markOf(tx: Tx, keyring: Keyring, document: DocumentRow): Promise<string | undefined> {
  const { id, bytes, key_version: keyVersion, wrapped_key: wrappedKey } = document;
  const parts = await tx
    .selectFrom("document_parts")
    .select(["nth", "content_sealed"])
    .where("document_id", "=", id)
    .orderBy("nth")
    .execute();
  try {
    const key = { keyVersion, wrappedKey };
    const opened = contentOpener(keyring, id, key, bytes);
    const pieces = parts.map(({ nth, content_sealed }) => opened(nth, content_sealed));
    return contentMark(keyring, id, key, pieces);
  } catch {
    return undefined;
  }
}

/** Selects the documents that were taken back, without policies. */
export function documentsTakenBack(reader: Reader) {
  return reader
    .selectFrom("taken_back")
    .selectAll()
    .where("kind", "is not", null)
    .$narrowType<Record<"kind" | "name" | "issued_on" | "key_version" | "wrapped_key", NotNull>>();
}

type TakenBackDocument = Awaited<ReturnType<ReturnType<typeof documentsTakenBack>["execute"]>>[0];

/** The outcome of restoring something. */
export type Restored =
  | { readonly kind: "restored"; readonly documents: number }
  /** It is in the customer's area already. */
  | { readonly kind: "there" }
  /** It can't be restored any more. */
  | { readonly kind: "too-late" }
  /** The policy belongs to another customer now, or the document's policy isn't the customer's any more. */
  | { readonly kind: "not-theirs" }
  /** A document of the same kind, name and day has been published since. */
  | { readonly kind: "replaced" };

/** Restores a policy that was taken back, with the documents that went with it. */
export async function restorePolicy(tx: Tx, deps: TakingBack, row: TakenBackRow): Promise<Restored> {
  const rest = await restorableRow(tx, deps, row.id, policyRest);
  if (!rest) return { kind: "too-late" };
  const { id, customer_id, policy_no, policy_no_compared } = row;
  const { name, validFrom: valid_from, validTo: valid_to, product } = rest;
  const premium_sealed = sealPremium(deps.keyring, id, rest.premium);
  const numbered = { id, customer_id, policy_no, policy_no_compared };
  const changed_on = isoDayInPoland(deps.now);
  const policy = { ...numbered, name, valid_from, valid_to, product, premium_sealed, changed_on };
  await tx.insertInto("policies").values(policy).execute();
  await forget(tx, id);
  return { kind: "restored", documents: await restoreDocumentsOf(tx, deps, id) };
}

/** Restores the documents that were taken back with a policy. Returns how many could be restored. */
async function restoreDocumentsOf(tx: Tx, deps: TakingBack, policyId: string): Promise<number> {
  const rows = await documentsTakenBack(tx).where("with_policy", "=", policyId).execute();
  let restored = 0;
  for (const row of rows) if ((await restoreDocument(tx, deps, row)).kind === "restored") restored += 1;
  return restored;
}

/** Restores a document, if the customer from whom it was taken still holds its policy. */
export async function restoreDocument(tx: Tx, deps: TakingBack, row: TakenBackDocument): Promise<Restored> {
  const { id, policy_no, kind, name, issued_on, key_version, wrapped_key } = row;
  const rest = await restorableRow(tx, deps, id, documentRest);
  if (!rest) return { kind: "too-late" };
  const holder = await tx
    .selectFrom("policies")
    .select("customer_id")
    .where("policy_no", "=", policy_no)
    .executeTakeFirst();
  if (holder?.customer_id !== row.customer_id) return { kind: "not-theirs" };
  const named = { policy_no, kind, name, issued_on };
  const inserted = await tx
    .insertInto("documents")
    .values({ id, ...named, bytes: rest.bytes, content_mac: rest.contentMac, key_version, wrapped_key })
    .onConflict((conflict) => conflict.columns(["policy_no", "kind", "name", "issued_on"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return { kind: "replaced" };
  await tx
    .insertInto("document_parts")
    .columns(PART)
    .expression(tx.selectFrom("restorable_parts").select(PART).where("document_id", "=", id))
    .execute();
  await forget(tx, id);
  return { kind: "restored", documents: 1 };
}

async function restorableRow<Rest>(
  tx: Tx,
  { keyring, now }: TakingBack,
  id: string,
  shape: z.ZodType<Rest>,
): Promise<Rest | undefined> {
  const row = await tx
    .selectFrom("restorable")
    .select("row_sealed")
    .where("id", "=", id)
    .where("ends_at", ">", now)
    .executeTakeFirst();
  return row && shape.parse(JSON.parse(open(keyring, sealedRow(id), row.row_sealed)));
}

/** Deletes the row that keeps imports out, and with it, by cascade, the sealed rest. */
async function forget(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("taken_back").where("id", "=", id).execute();
}

/** The numbers of documents that moving a policy took back and restored. */
export interface MovedDocuments {
  /** Taken back from the old customer: everything but terms. */
  readonly takenBack: number;
  /** Documents that had been taken back from the new customer with this policy. */
  readonly restored: number;
}

/**
 * Gives a policy to another customer, with its terms and nothing else, at a new address. Moving it back undoes that:
 * the documents and the premium that the first move has taken back return, while they can be restored.
 */
export async function reassignPolicy(
  tx: Tx,
  deps: TakingBack,
  policy: PolicyRow,
  customerId: string,
): Promise<MovedDocuments> {
  const personal = (await documentsOf(tx, policy.policy_no)).filter(({ kind }) => kind !== "terms");
  await putPolicyTakenBack(tx, deps, policy);
  for (const document of personal) await takeBackDocument(tx, deps, policy, document, policy.id);
  const id = randomUUID();
  let kept: Premium | undefined;
  let restored = 0;
  const before = await policiesTakenFrom(tx, customerId, policy.policy_no);
  for (const row of before) kept = (await restorableRow(tx, deps, row.id, policyRest))?.premium ?? kept;
  await tx
    .updateTable("policies")
    .set({ id, customer_id: customerId, premium_sealed: sealPremium(deps.keyring, id, kept) })
    .where("policy_no", "=", policy.policy_no)
    .execute();
  for (const row of before) {
    await forget(tx, row.id);
    restored += await restoreDocumentsOf(tx, deps, row.id);
  }
  return { takenBack: personal.length, restored };
}

function policiesTakenFrom(reader: Reader, customerId: string, policyNo: string) {
  return reader
    .selectFrom("taken_back")
    .select("id")
    .where("customer_id", "=", customerId)
    .where("policy_no", "=", policyNo)
    .where("kind", "is", null)
    .execute();
}

/**
 * Whether a number means this stored policy, and not one that was taken back and whose number differs only in spaces
 * and hyphens: earlier releases have added such numbers.
 */
export function meansPolicy(
  number: ReadNumber,
  stored: PolicyRow,
  takenBack: readonly Pick<TakenBackRow, "policy_no">[],
): boolean {
  const rows = meantByNumber<Pick<PolicyRow, "policy_no">>(number, [stored, ...takenBack]);
  return rows.length === 0 || rows.includes(stored);
}

/** The mark that keeps a document out of imports. */
export interface DocumentMark {
  /** The id of the document that was taken back. */
  readonly id: string;
  /** When it was taken back (ms). */
  readonly at: number;
  /** Whether the content equals the content that was taken back. */
  readonly isSameContent: boolean;
}

/** Tells what imports must leave out. */
export interface KeptOut {
  /**
   * When the policy was taken back (ms); undefined if it wasn't.
   * @param stored the policy that the number means, if there is one
   */
  readonly policy: (
    customerId: string,
    number: ReadNumber,
    stored: PolicyRow | undefined,
  ) => number | undefined;
  readonly document: (document: KeptDocument) => DocumentMark | undefined;
}

/** Reads the policies and documents taken back that have these policy numbers. */
export async function keptOut(
  reader: Reader,
  keyring: Keyring,
  numbers: readonly ReadNumber[],
): Promise<KeptOut> {
  const forms = new Set(numbers.map(({ compared }) => compared));
  const rows = await rowsAmong(reader, "taken_back", "policy_no_compared", [...forms]);
  return {
    policy: (customerId, number, stored) => {
      const theirs = rows.filter(
        (row) =>
          row.kind === null && row.customer_id === customerId && row.policy_no_compared === number.compared,
      );
      const isShown = stored?.customer_id === customerId && meansPolicy(number, stored, theirs);
      return isShown ? undefined : theirs[0]?.taken_back_at;
    },
    document: (document) => {
      const marks = rows
        .filter((row) => isSameDocument(row, document))
        .toSorted((one, other) => other.taken_back_at - one.taken_back_at);
      const same = marks.find((row) => hasContent(keyring, row, document.content));
      const mark = same ?? marks[0];
      return mark && { id: mark.id, at: mark.taken_back_at, isSameContent: mark === same };
    },
  };
}

/**
 * Whatever its content: another printing of the same document has other bytes. Terms that were taken back only with
 * their policy keep nothing out: the policy's next customer has the same ones.
 */
function isSameDocument(row: TakenBackRow, { kind, name, issuedOn, policyNo }: KeptDocument): boolean {
  if (row.kind === "terms" && row.with_policy !== null) return false;
  return (
    row.kind === kind &&
    row.name === name &&
    row.issued_on === issuedOn &&
    row.policy_no_compared === readPolicyNo(policyNo).compared
  );
}

function hasContent(keyring: Keyring, row: TakenBackRow, content: Buffer): boolean {
  const { id, key_version: keyVersion, wrapped_key: wrappedKey, content_mac } = row;
  if (content_mac === null || keyVersion === null || wrappedKey === null) return false;
  return contentMark(keyring, id, { keyVersion, wrappedKey }, [content]) === content_mac;
}
