import { readPolicyNo } from "~/contract/rules";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { audit, type AuditEventName, type StaffSource } from "../audit/audit-event.server";
import { accountOf, lockCustomer, meantByNumber } from "../customers/customers.server";
import {
  documentsTakenBack,
  meansPolicy,
  reassignPolicy,
  restoreDocument,
  type Restored,
  restorePolicy,
  takeBackDocument,
  takeBackPolicy,
  type TakingBack,
} from "../documents/take-back.server";
import { waitForOtherImports } from "../import/import-batch.server";
import { rehearse } from "../store/rehearse.server";
import type { Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import { subjectOf, type SupportDependencies } from "./account-state.server";
import { findPolicy } from "./choose-customer.server";
import { takenBackOf } from "./show-policy.server";

/** A policy by its number, in any spelling, or a document by its id. */
export type PolicyOrDocument = { readonly policyNo: string } | { readonly document: string };

/** The origin of an act, for the audit, and whether it is only rehearsed. */
interface Request {
  readonly source: StaffSource;
  /** Whether the transaction is rolled back, so that the act only says what it would do. */
  readonly isRehearsal: boolean;
}

/** The outcome of an act: done, nothing left to do, or no longer possible. */
export interface PolicyActOutcome {
  readonly kind: "done" | "nothing" | "impossible";
  readonly facts: object;
}

/**
 * Takes a policy, with its documents, or a document back from its customer. The audit records it. A repetition finds
 * nothing to do.
 * @throws UsageError if there never was such a policy or document
 */
export function takeBack(
  deps: SupportDependencies,
  request: Request,
  target: PolicyOrDocument,
): Promise<PolicyActOutcome> {
  return inTransaction(deps, request, (act) =>
    "policyNo" in target ? removePolicy(act, target.policyNo) : removeDocument(act, target.document),
  );
}

/**
 * Gives a policy or a document that was taken back to its customer again. The audit records it.
 * @throws UsageError if there never was such a policy or document
 */
export function restoreTakenBack(
  deps: SupportDependencies,
  request: Request,
  target: PolicyOrDocument,
): Promise<PolicyActOutcome> {
  return inTransaction(deps, request, (act) =>
    "policyNo" in target ? putBackPolicy(act, target.policyNo) : putBackDocument(act, target.document),
  );
}

/**
 * Gives a policy, with its terms, to another customer; a move back undoes it. The audit records it for both.
 * @throws UsageError if there is no such policy or customer
 */
export function movePolicy(
  deps: SupportDependencies,
  request: Request,
  { policyNo, toCustomer }: { readonly policyNo: string; readonly toCustomer: string },
): Promise<PolicyActOutcome> {
  return inTransaction(deps, request, async (act) => {
    const policy = await findPolicy(act.tx, readPolicyNo(policyNo));
    if (!policy) throw new UsageError("no such policy");
    const from = policy.customer_id;
    if (from === toCustomer) return { kind: "nothing", facts: {} };
    for (const id of [from, toCustomer].sort())
      if (!(await lockCustomer(act.tx, id))) throw new UsageError("no such customer");
    const { takenBack, restored } = await reassignPolicy(act.tx, act, policy, toCustomer);
    await act.audited("policy-moved", from);
    await act.audited("policy-moved", toCustomer);
    return {
      kind: "done",
      facts: { from, to: toCustomer, documentsTakenBack: takenBack, documentsRestored: restored },
    };
  });
}

/** An act in its transaction, while no import writes. */
interface Act extends TakingBack {
  readonly tx: Tx;
  /** Writes an event about a customer. */
  readonly audited: (event: AuditEventName, customerId: string) => Promise<void>;
}

function inTransaction(
  { store, keyring, limits, clock }: SupportDependencies,
  { source, isRehearsal }: Request,
  work: (act: Act) => Promise<PolicyActOutcome>,
): Promise<PolicyActOutcome> {
  const act = async (tx: Tx) => {
    await waitForOtherImports(tx);
    const now = clock();
    const audited = async (event: AuditEventName, customerId: string) =>
      audit(tx, source, now, {
        event,
        ...subjectOf({ customerId, accountId: await accountOf(tx, customerId) }),
      });
    return work({ tx, keyring, limits, now, audited });
  };
  return isRehearsal ? rehearse(store, act) : store.write(act);
}

/** Finds a policy and locks its holder, so that no erasure comes between. */
async function lockPolicy(tx: Tx, typed: string): Promise<Tables["policies"] | undefined> {
  const number = readPolicyNo(typed);
  const policy = await findPolicy(tx, number);
  if (!policy) return undefined;
  return (await lockCustomer(tx, policy.customer_id)) ? policy : undefined;
}

async function removePolicy(act: Act, typed: string): Promise<PolicyActOutcome> {
  const policy = await lockPolicy(act.tx, typed);
  const earlier = await takenBackPolicies(act.tx, typed);
  if (!policy || !meansPolicy(readPolicyNo(typed), policy, earlier))
    return alreadyTakenBack(earlier, "policy");
  const documents = await takeBackPolicy(act.tx, act, policy);
  await act.audited("policy-removed", policy.customer_id);
  return { kind: "done", facts: { id: policy.id, documents } };
}

/** The taken-back policies with exactly this number, or, if there are none, with any spelling of it. */
async function takenBackPolicies(tx: Tx, typed: string) {
  const number = readPolicyNo(typed);
  const rows = (await takenBackOf(tx, number)).filter(({ kind }) => kind === null);
  const exact = meantByNumber(number, rows);
  return exact.length > 0 ? exact : rows;
}

/** @throws UsageError if there never was such a policy or document */
function alreadyTakenBack(
  rows: readonly { readonly taken_back_at: number }[],
  what: string,
): PolicyActOutcome {
  const [row] = rows;
  if (!row) throw new UsageError(`no such ${what}`);
  return { kind: "nothing", facts: { takenBackAt: new Date(row.taken_back_at) } };
}

async function putBackPolicy(act: Act, typed: string): Promise<PolicyActOutcome> {
  const [row] = await takenBackPolicies(act.tx, typed);
  const stored = await findPolicy(act.tx, readPolicyNo(typed));
  if (!row && !stored) throw new UsageError("no such policy");
  if (!row) return outcomeOf({ kind: "there" });
  if (stored && meansPolicy(readPolicyNo(typed), stored, [row])) return outcomeOf({ kind: "not-theirs" });
  if (!(await lockCustomer(act.tx, row.customer_id))) throw new UsageError("no such policy");
  const restored = await restorePolicy(act.tx, act, row);
  if (restored.kind === "restored") await act.audited("policy-restored", row.customer_id);
  return outcomeOf(restored);
}

function outcomeOf(restored: Restored): PolicyActOutcome {
  if (restored.kind === "restored") return { kind: "done", facts: { documents: restored.documents } };
  return {
    kind: restored.kind === "there" ? "nothing" : "impossible",
    facts: { outcome: restored.kind },
  };
}

async function removeDocument(act: Act, id: string): Promise<PolicyActOutcome> {
  const document = await act.tx.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirst();
  const policy = document && (await lockPolicy(act.tx, document.policy_no));
  if (!policy) return alreadyTakenBack(await takenBackDocuments(act.tx, id), "document");
  await takeBackDocument(act.tx, act, policy, document);
  await act.audited("document-removed", policy.customer_id);
  return { kind: "done", facts: { id } };
}

function takenBackDocuments(tx: Tx, id: string) {
  return documentsTakenBack(tx).where("id", "=", id).execute();
}

async function putBackDocument(act: Act, id: string): Promise<PolicyActOutcome> {
  const [row] = await takenBackDocuments(act.tx, id);
  if (!row) {
    const stored = await act.tx.selectFrom("documents").select("id").where("id", "=", id).executeTakeFirst();
    if (!stored) throw new UsageError("no such document");
    return outcomeOf({ kind: "there" });
  }
  if (!(await lockCustomer(act.tx, row.customer_id))) throw new UsageError("no such document");
  const restored = await restoreDocument(act.tx, act, row);
  if (restored.kind === "restored") await act.audited("document-restored", row.customer_id);
  return outcomeOf(restored);
}
