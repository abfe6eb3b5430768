import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { FactorKind } from "~/contract/factors.server";
import { invalid, type Refusal } from "~/contract/refusal.server";
import { SECOND } from "~/platform/time.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { open, seal } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { type Changing, endElsewhere, tell } from "./change-factors.server";
import {
  deriveRecoveryCode,
  type Factors,
  isTheirRecoveryCode,
  keepRecoveryCode,
  secretCell,
} from "./factors.server";

/** A factor that a customer has begun to add. */
export type Prepared = Tables["prepared_factors"];

/** A factor to be prepared: what only its device and we know. */
interface Preparing {
  readonly kind: FactorKind;
  readonly secret: string;
  readonly seconds: number;
}

/** Prepares a factor and returns its id. An earlier one of the same kind is replaced. */
export async function keepPrepared(
  tx: Tx,
  { clock, keyring }: Dependencies,
  { accountId, sessionId }: ActiveSession,
  { kind, secret, seconds }: Preparing,
): Promise<string> {
  const id = randomUUID();
  const values = {
    id,
    session_id: sessionId,
    secret_sealed: seal(keyring, secretCell("prepared_factors", { accountId, kind, id }), secret),
    tries: 0,
    ends_at: clock() + seconds * SECOND,
    used_at: null,
  };
  await tx
    .insertInto("prepared_factors")
    .values({ account_id: accountId, kind, ...values })
    .onConflict((conflict) => conflict.columns(["account_id", "kind"]).doUpdateSet(values))
    .execute();
  return id;
}

/** The factor that the first of a double submit has prepared. @throws Error if it is gone meanwhile */
export async function preparedNow(
  tx: Tx,
  { keyring }: Dependencies,
  accountId: string,
  kind: FactorKind,
): Promise<{ id: string; secret: string }> {
  const row = await tx
    .selectFrom("prepared_factors")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  if (!row) throw new Error("what a repeated confirm has prepared is gone");
  return { id: row.id, secret: preparedSecret(keyring, row) };
}

/** The shared secret of a prepared factor. */
export function preparedSecret(keyring: Dependencies["keyring"], row: Prepared): string {
  const cell = secretCell("prepared_factors", { accountId: row.account_id, kind: row.kind, id: row.id });
  return open(keyring, cell, row.secret_sealed);
}

/** Finds what this session has prepared. */
export function findPrepared(tx: Tx, { accountId, sessionId }: ActiveSession, kind: FactorKind, id: string) {
  return tx
    .selectFrom("prepared_factors")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "=", kind)
    .where("account_id", "=", accountId)
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
}

/** Counts a try before it is compared. Returns false if there is none left, or the time is over. */
export async function countPreparedTry(
  tx: Tx,
  { clock }: Dependencies,
  { id }: Prepared,
  most: number,
): Promise<boolean> {
  const counted = await tx
    .updateTable("prepared_factors")
    .set({ tries: sql<number>`tries + 1` })
    .where("id", "=", id)
    .where("tries", "<", most)
    .where("ends_at", ">", clock())
    .returning("id")
    .executeTakeFirst();
  return counted !== undefined;
}

/** Whether the same confirm may have succeeded a moment ago. */
export function isJustAdded({ clock, limits }: Dependencies, { used_at }: Prepared): boolean {
  return used_at !== null && used_at > clock() - limits.CONFIRM_REPEAT_SECONDS * SECOND;
}

/** The refusal if the account has the maximum of factors of this kind. */
export function refusalAtMaximum(
  { limits }: Dependencies,
  { apps, passkeys }: Factors,
  kind: FactorKind,
): Refusal | undefined {
  const isAtMaximum =
    kind === "app" ? apps.length >= limits.FACTORS_APPS : passkeys.length >= limits.FACTORS_PASSKEYS;
  return isAtMaximum ? invalid("kind") : undefined;
}

/**
 * What adding a factor does to its account, whose row for it is written already. The first factor comes with a recovery
 * code, which is returned. The other sessions and trusted devices end (S156).
 */
export async function noteAdded(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, customerId, proofOptions: { factors } }: Changing,
  { id, kind, session_id: sessionId }: Prepared,
): Promise<{ recoveryCode?: string }> {
  const now = deps.clock();
  await tx.updateTable("prepared_factors").set({ used_at: now }).where("id", "=", id).execute();
  await tx
    .insertInto("factor_settings")
    .values({ ...NO_SETTINGS, account_id: accountId, last_method: kind })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ last_method: kind }))
    .execute();
  await tx.updateTable("accounts").set({ has_factors: 1 }).where("id", "=", accountId).execute();
  // A sign-in pass of an earlier password reset would bypass the factor.
  await tx.deleteFrom("login_passes").where("account_id", "=", accountId).execute();
  await endElsewhere(tx, deps, caller, { accountId, sessionId });
  await tell(tx, deps, caller, { event: "factor-added", accountId, customerId, detail: kind });
  if (factors.settings?.recovery_sealed) return {};
  const recoveryCode = recoveryFrom(deps, caller, id);
  await keepRecoveryCode(tx, deps, accountId, recoveryCode);
  return { recoveryCode };
}

const NO_SETTINGS = {
  sms: "on",
  reset_at: null,
  recovery_sealed: null,
  recovery_set_at: null,
  recovery_kept: 1,
  wrong_in_row: 0,
} as const;

function recoveryFrom({ keyring }: Dependencies, caller: Caller, id: string): string {
  return deriveRecoveryCode(keyring, keyring.current, [id, caller.browser]);
}

/** The recovery code that a repeated confirm gives again, if the first gave one. */
export function recoveryOf(
  deps: Dependencies,
  caller: Caller,
  factors: Factors,
  { id }: Prepared,
): { recoveryCode?: string } {
  const recoveryCode = recoveryFrom(deps, caller, id);
  return isTheirRecoveryCode(deps.keyring, factors, recoveryCode) ? { recoveryCode } : {};
}
