import type { AuditEventName } from "../../audit-event.server";
import type { Tx } from "../../store/store.server";
import type { AccountState } from "../../store/tables.server";
import { audit } from "../audit/write-event.server";
import { endAccess, type EndedAccess } from "./end-access.server";
import { withAccount, type SupportAct, type SupportDependencies } from "./support-act.server";

/** The outcome of setting an account's state. */
export type StateChange =
  | { readonly kind: "changed"; readonly from: AccountState; readonly ended?: EndedAccess }
  | { readonly kind: "unchanged"; readonly state: AccountState }
  | { readonly kind: "locked-by-a-person" };

/** Bars the customer from their account, and ends their sessions and what could become one. */
export function barAccount(
  deps: SupportDependencies,
  act: SupportAct,
  state: "disabled" | "expired",
): Promise<Exclude<StateChange, { readonly kind: "locked-by-a-person" }>> {
  return withAccount(deps, act, async (tx, { state: from }) => {
    if (from === state) return { kind: "unchanged", state };
    await setState(tx, deps, act, { state, event: `account-${state}` });
    return { kind: "changed", from, ended: await endAccess(tx, deps, act) };
  });
}

/** Lets the customer of a disabled or expired account sign in again. A locked one stays locked. */
export function enableAccount(deps: SupportDependencies, act: SupportAct): Promise<StateChange> {
  return withAccount(deps, act, async (tx, { state: from }) => {
    if (from === "locked") return { kind: "locked-by-a-person" };
    if (from === "active") return { kind: "unchanged", state: from };
    await setState(tx, deps, act, { state: "active", event: "account-enabled" });
    return { kind: "changed", from };
  });
}

/** Sets the state of an account that the transaction has locked. */
export async function setState(
  tx: Tx,
  { clock }: SupportDependencies,
  { accountId, source }: SupportAct,
  { state, event }: { readonly state: AccountState; readonly event: AuditEventName },
): Promise<void> {
  await tx.updateTable("accounts").set({ state }).where("id", "=", accountId).execute();
  await audit(tx, source, clock(), { event, accountId });
}
