import { done, type Outcome } from "~/contract/refusal.server";
import { audit, type AuditSource, type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import type { Store, Tx } from "../../store/store.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { notify, type NoticeDependencies } from "../notices/notices.server";
import { lockCustomer, sealColumn } from "../../customers/customers.server";
import { findIndex } from "../../customers/find-indexes.server";
import { phonesToShow } from "../../customers/phones.server";

/** The dependencies of deciding about a new number, so that a command needn't open a whole backend. */
export type NewPhoneDependencies = NoticeDependencies & { readonly store: Store };

/** A customer with an account. Numbers of others don't wait. */
export type Registered = Pick<ActiveSession, "accountId" | "customerId">;

/** A number that waited until somebody decided about it. */
export interface DecidedPhone {
  readonly oldPhone: string;
  readonly newPhone: string;
  /** When it would have come into use (ms). */
  readonly from: number;
  /** Whether SMS notices are sent. */
  readonly isTold: boolean;
}

/** Stops a new phone number that waits, for its customer. If none does any more, nothing happens. */
export async function keepOldPhone(
  deps: Dependencies,
  caller: Caller,
  _payload: unknown,
  session: ActiveSession,
): Promise<Outcome<undefined>> {
  await stopNewPhone(deps, caller, session);
  return done(undefined);
}

/** Stops a new phone number that waits, and tells both numbers. Undefined if none waits. */
export function stopNewPhone(
  deps: NewPhoneDependencies,
  source: AuditSource,
  customer: Registered,
): Promise<DecidedPhone | undefined> {
  return decide(deps, source, customer, "new-phone-stopped");
}

/** Puts a new phone number that waits into use at once, and tells both numbers. Undefined if none waits. */
export function applyNewPhone(
  deps: NewPhoneDependencies,
  source: AuditSource,
  customer: Registered,
): Promise<DecidedPhone | undefined> {
  return decide(deps, source, customer, "new-phone-used");
}

function decide(
  deps: NewPhoneDependencies,
  source: AuditSource,
  { accountId, customerId }: Registered,
  event: "new-phone-used" | "new-phone-stopped",
): Promise<DecidedPhone | undefined> {
  return deps.store.write(async (tx: Tx) => {
    // An import that is under way may be changing the numbers.
    if (!(await lockCustomer(tx, customerId))) return undefined;
    const { phone: oldPhone, waiting } = await phonesToShow(tx, deps, customerId);
    if (!waiting) return undefined;
    const phone = event === "new-phone-used" ? waiting.phone : oldPhone;
    // Not by its time: the clocks of the portals may differ.
    await tx
      .updateTable("customers")
      .set({
        phone_sealed: sealColumn(deps.keyring, customerId, "phone_sealed", phone),
        phone_index: findIndex(deps.keyring, "phone", phone),
        ...{ new_phone_sealed: null, new_phone_from: null, new_phone_index: null },
      })
      .where("id", "=", customerId)
      .execute();
    await audit(tx, source, deps.clock(), { event, accountId });
    await notify(tx, deps, source, { event, customerId, phones: [oldPhone, waiting.phone] });
    const isTold = deps.noticeTexts !== undefined;
    return { oldPhone, newPhone: waiting.phone, from: waiting.from, isTold };
  });
}
