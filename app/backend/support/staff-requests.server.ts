import { randomUUID } from "node:crypto";
import { MINUTE } from "~/platform/time.server";
import { audit, type AuditEvent, type StaffSource } from "../audit/audit-event.server";
import { accountOf } from "../customers/customers.server";
import type { NoticeDependencies } from "../notices/notices.server";
import type { GraveAct } from "../store/column-values.server";
import type { Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import { type CustomerIds, subjectOf, type SupportDependencies } from "./account-state.server";
import { auditLook } from "./audit-look.server";
import { describeCustomer, type FoundCustomer } from "./find-customers.server";
import type { AccountOverview } from "./overview.server";
import { type ActRequest, lockAndRead, performOnce, seenIn } from "./perform-once.server";

/** How long an act waits for the second person. */
export const WAIT = { waitMinutes: 15 } as const;

/** An act that waits for a second person. */
export type StaffRequest = Tables["staff_requests"];

/**
 * Requests approval by a second person. One request for each act and customer: a double submit finds the first.
 * @param sub the issuer's name for the person who asks
 */
export function askForSecond(
  deps: SupportDependencies,
  sub: string,
  { act, customer, seen, source }: ActRequest & { readonly act: GraveAct },
): Promise<"asked" | "changed"> {
  const now = deps.clock();
  return deps.store.write(async (tx) => {
    if (seenIn(await lockAndRead(tx, deps, customer)) !== seen) return "changed";
    const { customerId } = customer;
    await tx
      .deleteFrom("staff_requests")
      .where("customer_id", "=", customerId)
      .where("ends_at", "<=", now)
      .execute();
    const { operator, reason } = source.act;
    const asked = await tx
      .insertInto("staff_requests")
      .values({
        id: randomUUID(),
        customer_id: customerId,
        act,
        asker: sub,
        operator,
        reason,
        seen,
        ends_at: now + WAIT.waitMinutes * MINUTE,
      })
      .onConflict((conflict) => conflict.columns(["customer_id", "act"]).doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!asked) return "asked";
    await audit(tx, source, now, {
      event: "act-asked",
      ...subjectOf(customer),
      reason: `${act}: ${reason}`,
    });
    return "asked";
  });
}

/** The acts that wait, of one customer or of all; the oldest first. */
export function waitingRequests(
  { store, clock }: Pick<SupportDependencies, "store" | "clock">,
  customerId?: string,
): Promise<readonly StaffRequest[]> {
  const waiting = store.read.selectFrom("staff_requests").selectAll().where("ends_at", ">", clock());
  const theirs = customerId === undefined ? waiting : waiting.where("customer_id", "=", customerId);
  return theirs.orderBy("ends_at").orderBy("id").execute();
}

/** An act that waits, with its customer as they are now. */
export interface ShownRequest {
  readonly request: StaffRequest;
  readonly customer: FoundCustomer;
  /** Nothing is done if the asker saw another state. */
  readonly overview: AccountOverview;
}

/** Reads the waiting acts and their customers. The look is audited. */
export async function showWaitingRequests(
  deps: SupportDependencies,
  source: StaffSource,
): Promise<readonly ShownRequest[]> {
  const { store } = deps;
  const shown: ShownRequest[] = [];
  const events: AuditEvent[] = [];
  for (const request of await waitingRequests(deps)) {
    const customerId = request.customer_id;
    const customer = await describeCustomer(deps, customerId);
    const accountId = customer?.account ?? undefined;
    const overview = await store.write((tx) => lockAndRead(tx, deps, { customerId, accountId }));
    if (!customer || typeof overview === "string") continue;
    shown.push({ request, customer, overview });
    events.push({ event: "account-shown", accountId });
  }
  if (events.length > 0) await store.write((tx) => auditLook(tx, deps, { source, events, lasts: MINUTE }));
  return shown;
}

/**
 * Approves an act that waits, and performs it.
 * @param approver `sub`: the issuer's name for the second person. `declined`: the source of declining the request, if the
 * customer has changed since it was made: the asker must ask again
 * @returns `over`: the request has expired, or another person has decided
 */
export async function approveRequest(
  deps: SupportDependencies & NoticeDependencies,
  request: StaffRequest,
  customer: CustomerIds,
  approver: { readonly sub: string; readonly source: StaffSource; readonly declined: StaffSource },
): Promise<"approved" | "over" | "changed"> {
  const { id, act, seen } = request;
  const { kind } = await performOnce(deps, {
    act,
    customer,
    seen,
    isGrave: true,
    source: approver.source,
    precondition: (tx) => takeRequest(tx, id, deps.clock(), approver.sub),
  });
  switch (kind) {
    case "done":
      return "approved";
    case "already":
    case "precondition":
      return "over";
    case "nothing":
    case "changed":
      await declineRequest(deps, request, approver.declined);
      return "changed";
  }
}

/** Declines an act that waits, or takes one's own request back. False if it has expired or was decided. */
export function declineRequest(
  { store, clock }: Pick<SupportDependencies, "store" | "clock">,
  { id, act, customer_id: customerId }: StaffRequest,
  source: StaffSource,
): Promise<boolean> {
  const now = clock();
  return store.write(async (tx) => {
    if (!(await takeRequest(tx, id, now))) return false;
    const accountId = await accountOf(tx, customerId);
    await audit(tx, source, now, {
      event: "act-declined",
      ...subjectOf({ customerId, accountId }),
      reason: `${act}: ${source.act.reason}`,
    });
    return true;
  });
}

/**
 * Takes a request, so that only one person decides about it. False if it has expired or was decided.
 * @param notOf a person who may not decide about it: the asker, by `sub`
 */
async function takeRequest(tx: Tx, id: string, now: number, notOf = ""): Promise<boolean> {
  const taken = await tx
    .deleteFrom("staff_requests")
    .where("id", "=", id)
    .where("ends_at", ">", now)
    .where("asker", "<>", notOf)
    .returning("id")
    .executeTakeFirst();
  return taken !== undefined;
}
