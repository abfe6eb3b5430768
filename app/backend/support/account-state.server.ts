import type { Dependencies } from "../dependencies.server";
import type { Tx } from "../store/store.server";
import { lockState, type LockedState } from "../customers/customers.server";
import { audit, type AuditEventName, type StaffSource } from "../audit/audit-event.server";
import type { AccountState } from "../store/column-values.server";
import { openNow, openSessions } from "../accounts/open-sessions.server";
import { forgetFactors } from "../factors/change-factors.server";
import { allFactors, shownFactorsOf } from "../factors/factors.server";
import { forgetGuesses } from "../factors/guesses.server";
import { notify, type NoticeDependencies } from "../notices/notices.server";
import { expireCodes } from "../codes/code-rows.server";

/** A policyholder, with an account or without. */
export interface CustomerIds {
  readonly customerId: string;
  readonly accountId: string | undefined;
}

/** The audit columns that name a policyholder: the account, or the customer if there is none. */
export function subjectOf({ customerId, accountId }: CustomerIds) {
  return accountId === undefined ? { subject: customerId } : { accountId };
}

/** The dependencies of support acts, so that a command needn't open a whole backend. */
export type SupportDependencies = Pick<Dependencies, "store" | "keyring" | "limits" | "clock">;

/** The policyholder with this id, and the state of their account. */
export async function readPolicyholder(
  { store }: Pick<SupportDependencies, "store">,
  customerId: string,
): Promise<CustomerIds & { readonly state: AccountState | undefined }> {
  const account = await store.read
    .selectFrom("accounts")
    .select(["id", "state"])
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  return { customerId, accountId: account?.id, state: account?.state };
}

/** An act of the insurer's staff on a customer's account (S97). */
export interface SupportAct {
  readonly accountId: string;
  /** The origin of the act, for the audit. */
  readonly source: StaffSource;
}

/**
 * Does something to an account in a transaction that holds its lock. A confirm that makes a session has then either
 * finished, or will see the change.
 * @throws Error if the account was erased in the meantime
 */
export function withAccount<Value>(
  { store }: SupportDependencies,
  { accountId }: SupportAct,
  work: (tx: Tx, account: LockedState) => Promise<Value>,
): Promise<Value> {
  return store.write(async (tx) => {
    const account = await lockState(tx, accountId);
    if (!account) throw new Error("the account no longer exists");
    return work(tx, account);
  });
}

/** The outcome of setting an account's state. */
export type StateChange =
  | { readonly kind: "changed"; readonly from: AccountState; readonly ended?: EndedAccess }
  | { readonly kind: "unchanged"; readonly state: AccountState }
  | { readonly kind: "locked-by-a-person" };

/** Bars the customer from their account, and ends their sessions and everything that could become one. */
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

/** How many of each were ended. */
export interface EndedAccess {
  /** Pending ones too. */
  readonly sessions: number;
  readonly codes: number;
  readonly signInPasses: number;
}

/** Ends all sessions of an account, and everything that could become one: codes and sign-in passes. */
export function endSessions(deps: SupportDependencies, act: SupportAct): Promise<EndedAccess> {
  return withAccount(deps, act, (tx) => endAccess(tx, deps, act));
}

/** Like `endSessions`, in a transaction that holds the account's lock. */
async function endAccess(tx: Tx, deps: SupportDependencies, act: SupportAct): Promise<EndedAccess> {
  const { accountId, source } = act;
  const now = deps.clock();
  const codes = await expireCodes(tx, { subject: accountId }, now);
  const open = await openSessions(tx, openNow(deps, accountId)).select("ends_at").execute();
  await tx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
  const signInPasses = await takeSignInPasses(tx, accountId, now);
  if (open.length + codes + signInPasses > 0)
    await audit(tx, source, now, { event: "sessions-ended", accountId });
  return { sessions: open.length, codes, signInPasses };
}

/** The second factors that were removed from an account. */
export interface RemovedFactors {
  readonly factors: number;
  readonly recoveryCode: boolean;
  readonly smsWasOff: boolean;
}

/** Everything that was removed from an account with its second factors. */
export interface ResetFactors extends RemovedFactors {
  readonly trustedDevices: number;
  readonly ended: EndedAccess;
}

/**
 * Removes an account's second factors, ends its trusted devices and sessions, and tells the customer by SMS and e-mail.
 * Undefined if it has no second factors.
 */
export function resetFactors(
  deps: SupportDependencies & NoticeDependencies,
  act: SupportAct,
): Promise<ResetFactors | undefined> {
  return withAccount(deps, act, async (tx, account) => {
    const removed = await removeFactors(tx, deps, act, account);
    if (!removed) return undefined;
    const trustedDevices = await deleteRows(tx, "trusted_devices", act.accountId, deps.clock());
    return { ...removed, trustedDevices, ended: await endAccess(tx, deps, act) };
  });
}

/** Removes the second factors of an account that the transaction has locked; undefined if it has none. */
async function removeFactors(
  tx: Tx,
  deps: SupportDependencies & NoticeDependencies,
  { accountId, source }: SupportAct,
  { customerId, hasFactors }: LockedState,
): Promise<RemovedFactors | undefined> {
  if (!hasFactors) return undefined;
  const factors = await shownFactorsOf(tx, accountId);
  const { settings } = factors;
  await forgetGuesses(tx, deps, accountId);
  await forgetFactors(tx, accountId);
  await audit(tx, source, deps.clock(), { event: "factors-reset", accountId });
  await notify(tx, deps, source, { event: "factors-reset", customerId });
  return {
    factors: allFactors(factors).length,
    recoveryCode: typeof settings?.recovery_set_at === "number",
    smsWasOff: settings?.sms === "off",
  };
}

/** How many of each were forgotten. */
export interface ForgottenDevices {
  readonly trustedDevices: number;
  readonly knownBrowsers: number;
  readonly signInPasses: number;
}

/** Makes an account trust no device and know no browser. */
export function forgetDevices(deps: SupportDependencies, act: SupportAct): Promise<ForgottenDevices> {
  return withAccount(deps, act, (tx) => forgetAll(tx, deps, act));
}

/** Like `forgetDevices`, in a transaction that holds the account's lock. */
async function forgetAll(
  tx: Tx,
  { clock }: SupportDependencies,
  { accountId, source }: SupportAct,
): Promise<ForgottenDevices> {
  const now = clock();
  const trustedDevices = await deleteRows(tx, "trusted_devices", accountId, now);
  const knownBrowsers = await deleteRows(tx, "known_browsers", accountId, now);
  const signInPasses = await takeSignInPasses(tx, accountId, now);
  if (trustedDevices + knownBrowsers + signInPasses > 0)
    await audit(tx, source, now, { event: "devices-forgotten", accountId });
  return { trustedDevices, knownBrowsers, signInPasses };
}

/** Everything that a lock-out has ended. */
export interface LockedOut {
  readonly ended: EndedAccess;
  readonly forgotten: ForgottenDevices;
  /** Undefined if the account had none, or they were to stay. */
  readonly factors: RemovedFactors | undefined;
  /** Passkeys that may still sign in without a password. */
  readonly passkeysLeft: number;
}

/**
 * For a lost or stolen phone: ends all sessions, codes and sign-in passes, forgets all devices, and on
 * request removes the second factors, in one transaction. The customer signs in again with the password and a code.
 */
export function lockOut(
  deps: SupportDependencies & NoticeDependencies,
  act: SupportAct,
  { withFactors }: { readonly withFactors: boolean },
): Promise<LockedOut> {
  return withAccount(deps, act, async (tx, account) => {
    const factors = withFactors ? await removeFactors(tx, deps, act, account) : undefined;
    const ended = await endAccess(tx, deps, act);
    const forgotten = await forgetAll(tx, deps, act);
    const { passkeys } = await shownFactorsOf(tx, act.accountId);
    // A passkey whose browser didn't report whether it is discoverable may sign in, too.
    const passkeysLeft = passkeys.filter(({ discoverable }) => discoverable !== 0).length;
    return { ended, forgotten, factors, passkeysLeft };
  });
}

/** Deletes an account's rows and returns how many had not expired. */
async function deleteRows(
  tx: Tx,
  table: "trusted_devices" | "known_browsers",
  accountId: string,
  now: number,
): Promise<number> {
  const deleted = await tx
    .deleteFrom(table)
    .where("account_id", "=", accountId)
    .returning("ends_at")
    .execute();
  return deleted.filter(({ ends_at }) => ends_at > now).length;
}

/**
 * Deletes unused passes and returns how many. Used ones may stay: a repeated sign-in gets nothing once its session is
 * gone.
 */
async function takeSignInPasses(tx: Tx, accountId: string, now: number): Promise<number> {
  const taken = await tx
    .deleteFrom("login_passes")
    .where("account_id", "=", accountId)
    .where("ends_at", ">", now)
    .where("used_at", "is", null)
    .returning("id")
    .execute();
  return taken.length;
}
