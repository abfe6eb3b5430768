import { done, type Outcome } from "~/contract/refusal.server";
import { audit, type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import type { ActiveSession } from "../sign-in/sessions.server";

/** Stops a new phone number that waits. If none does any more, nothing happens. */
export async function keepOldPhone(
  { store, clock }: Dependencies,
  caller: Caller,
  _payload: unknown,
  { accountId, customerId }: ActiveSession,
): Promise<Outcome<undefined>> {
  const now = clock();
  return store.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("customers")
      .set({ new_phone_sealed: null, new_phone_from: null, new_phone_index: null })
      .where("id", "=", customerId)
      .where("new_phone_from", ">", now)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0) await audit(tx, caller, now, { event: "new-phone-stopped", accountId });
    return done(undefined);
  });
}
