import type { ReadRequest } from "~/contract/calls.server";
import { done, type Outcome } from "~/contract/refusal.server";
import { MINUTE } from "~/platform/time.server";
import { audit, type AuditSource, type Caller, type StaffSource } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import type { Store, Tx } from "../store/store.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { change } from "../factors/change-factors.server";
import { notify, type NoticeDependencies } from "../notices/notices.server";
import { lockCustomer } from "../customers/customers.server";
import { findIndex } from "../customers/find-indexes.server";
import { phonesToShow } from "../customers/phones.server";

/** The dependencies of deciding about a new number, so that a command needn't open a whole backend. */
export type NewPhoneDependencies = NoticeDependencies & { readonly store: Store };

/** A customer with an account. Numbers of others don't wait. */
export type Registered = Pick<ActiveSession, "accountId" | "customerId">;

/** The outcome of a decision about a waiting number. */
export interface DecidedPhone {
  readonly oldPhone: string;
  readonly newPhone: string;
  /** When it would have come into use (ms). */
  readonly from: number;
  /** Whether SMS notices are sent. */
  readonly isTold: boolean;
}

/** Stops a new phone number that waits, for its customer, who confirms it. If none does any more, nothing happens. */
export function keepOldPhone(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"stopNewPhone">,
  session: ActiveSession,
): Promise<Outcome<undefined>> {
  return change(deps, caller, session, payload, {
    call: "stopNewPhone",
    lockFirst: (tx) => lockCustomer(tx, session.customerId),
    effect: async (tx) => {
      await decide(tx, deps, { event: "new-phone-stopped", source: caller }, session);
      return done(undefined);
    },
    repeat: () => Promise.resolve(undefined),
  });
}

/** Stops a new phone number that waits, and tells both numbers. Undefined if none waits. */
export function stopNewPhone(
  deps: NewPhoneDependencies,
  source: AuditSource,
  customer: Registered,
): Promise<DecidedPhone | undefined> {
  return deps.store.write((tx) => decide(tx, deps, { event: "new-phone-stopped", source }, customer));
}

/** Puts a new phone number that waits into use at once, and tells both numbers. Undefined if none waits. */
export function applyNewPhone(
  deps: NewPhoneDependencies,
  source: StaffSource,
  customer: Registered,
): Promise<DecidedPhone | undefined> {
  return deps.store.write((tx) => decide(tx, deps, { event: "new-phone-used", source }, customer));
}

/** Customers can only stop a number. */
type Decision =
  | { readonly event: "new-phone-used"; readonly source: StaffSource }
  | { readonly event: "new-phone-stopped"; readonly source: AuditSource };

/** A portal whose clock is behind by less than this uses a new number at once, too. */
const CLOCKS_DIFFER_MS = MINUTE;

async function decide(
  tx: Tx,
  deps: NoticeDependencies,
  decision: Decision,
  { accountId, customerId }: Registered,
): Promise<DecidedPhone | undefined> {
  const { event, source } = decision;
  // An import that is under way may be changing the numbers.
  if (!(await lockCustomer(tx, customerId))) return undefined;
  const { phone: oldPhone, waiting } = await phonesToShow(tx, deps, customerId);
  if (!waiting) return undefined;
  // The old number stays: it finds its customer until the next import.
  await tx
    .updateTable("customers")
    .set(
      event === "new-phone-used"
        ? {
            new_phone_from: deps.clock() - CLOCKS_DIFFER_MS,
            new_phone_index: findIndex(deps.keyring, "phone", waiting.phone),
          }
        : { new_phone_sealed: null, new_phone_from: null, new_phone_index: null },
    )
    .where("id", "=", customerId)
    .execute();
  await auditDecision(tx, decision, deps.clock(), accountId);
  await notify(tx, deps, source, { event, customerId, phones: [oldPhone, waiting.phone] });
  const isTold = deps.noticeTexts !== undefined;
  return { oldPhone, newPhone: waiting.phone, from: waiting.from, isTold };
}

function auditDecision(tx: Tx, decision: Decision, now: number, accountId: string): Promise<void> {
  const { event, source } = decision;
  return event === "new-phone-used"
    ? audit(tx, source, now, { event, accountId })
    : audit(tx, source, now, { event, accountId });
}
