import type { Dependencies } from "../../dependencies.server";
import type { Tx } from "../../store/store.server";
import { lockAccount, type LockedAccount } from "../accounts/customers.server";
import type { AuditSource } from "../audit/write-event.server";

/** What support acts need, so that a command needn't open a whole backend. */
export type SupportDependencies = Pick<Dependencies, "store" | "keyring" | "limits" | "clock">;

/** An act of the insurer's staff on a customer's account (S97). */
export interface SupportAct {
  readonly accountId: string;
  /** What the audit records the act under. */
  readonly source: AuditSource;
}

/**
 * Does something to an account in a transaction that holds its lock. A confirm that makes a session has then either
 * finished, or will see what was done.
 * @throws Error if the account was erased in the meantime
 */
export function withAccount<Value>(
  { store }: SupportDependencies,
  { accountId }: SupportAct,
  work: (tx: Tx, account: LockedAccount) => Promise<Value>,
): Promise<Value> {
  return store.write(async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (!account) throw new Error("the account no longer exists");
    return work(tx, account);
  });
}
