import { randomUUID } from "node:crypto";
import { audit, type StaffSource } from "~/backend/audit/audit-event.server";
import type { GraveAct } from "~/backend/store/column-values.server";
import type { Reader, Tx } from "~/backend/store/store.server";
import type { Tables } from "~/backend/store/tables.server";
import { MINUTE } from "~/platform/time.server";
import { accountOf } from "~/backend/customers/customers.server";
import { subjectOf } from "~/backend/support/account-state.server";
import { lockAndRead, type Press, seenIn } from "./act-in-turn.server";
import type { StaffVisit } from "./screen";

/** How long an act waits for the second person. */
export const WAIT = { waitMinutes: 15 } as const;

/** An act that waits for a second person. */
export type StaffRequest = Tables["staff_requests"];

/** Asks for a second person. One request for each act and customer: a doubled press finds the first one. */
export function askForSecond(
  { desk, staff }: StaffVisit,
  { act, customer, seen, source }: Press & { readonly act: GraveAct },
): Promise<"asked" | "changed"> {
  const now = desk.clock();
  return desk.store.write(async (tx) => {
    if (seenIn(await lockAndRead(tx, desk, customer)) !== seen) return "changed";
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
        ...{ id: randomUUID(), customer_id: customerId, act, asker: staff.sub, operator, reason, seen },
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
  reader: Reader,
  now: number,
  customerId?: string,
): Promise<readonly StaffRequest[]> {
  const waiting = reader.selectFrom("staff_requests").selectAll().where("ends_at", ">", now);
  const theirs = customerId === undefined ? waiting : waiting.where("customer_id", "=", customerId);
  return theirs.orderBy("ends_at").orderBy("id").execute();
}

/** Declines an act that waits, or takes one's own request back. False if it is over or was decided. */
export function declineRequest(
  { desk }: StaffVisit,
  request: StaffRequest,
  source: StaffSource,
): Promise<boolean> {
  const now = desk.clock();
  const { id, act, customer_id: customerId } = request;
  return desk.store.write(async (tx) => {
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
 * Takes a request, so that only one person decides about it. False if it is over or was decided.
 * @param notOf a person who may not decide about it: the asker, by `sub`
 */
export async function takeRequest(tx: Tx, id: string, now: number, notOf = ""): Promise<boolean> {
  const taken = await tx
    .deleteFrom("staff_requests")
    .where("id", "=", id)
    .where("ends_at", ">", now)
    .where("asker", "<>", notOf)
    .returning("id")
    .executeTakeFirst();
  return taken !== undefined;
}
