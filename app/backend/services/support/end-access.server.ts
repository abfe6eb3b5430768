import type { Tx } from "../../store/store.server";
import { openNow, openSessions } from "../accounts/open-sessions.server";
import { audit } from "../audit/write-event.server";
import { expireCodes } from "../codes/code-rows.server";
import { withAccount, type SupportAct, type SupportDependencies } from "./support-act.server";

/** How many of each were ended. */
export interface EndedAccess {
  /** Pending ones too. */
  readonly sessions: number;
  readonly codes: number;
  readonly signInPasses: number;
}

/** Ends all sessions of an account, and what could become one: codes and sign-in passes. */
export function endSessions(deps: SupportDependencies, act: SupportAct): Promise<EndedAccess> {
  return withAccount(deps, act, (tx) => endAccess(tx, deps, act));
}

/** Like `endSessions`, in a transaction that holds the account's lock. */
export async function endAccess(tx: Tx, deps: SupportDependencies, act: SupportAct): Promise<EndedAccess> {
  const { accountId, source } = act;
  const now = deps.clock();
  const codes = await expireCodes(tx, { subject: accountId }, now);
  const open = await openSessions(tx, openNow(deps, accountId)).execute();
  await tx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
  const signInPasses = await takeSignInPasses(tx, accountId, now);
  if (open.length + codes + signInPasses > 0)
    await audit(tx, source, now, { event: "sessions-ended", accountId });
  return { sessions: open.length, codes, signInPasses };
}

/** How many of each were forgotten. */
export interface ForgottenDevices {
  readonly trustedDevices: number;
  readonly knownBrowsers: number;
  readonly signInPasses: number;
}

/** Makes an account trust no device and know no browser. */
export function forgetDevices(deps: SupportDependencies, act: SupportAct): Promise<ForgottenDevices> {
  const { accountId, source } = act;
  return withAccount(deps, act, async (tx) => {
    const now = deps.clock();
    const trustedDevices = await deleteRows(tx, "trusted_devices", accountId, now);
    const knownBrowsers = await deleteRows(tx, "known_browsers", accountId, now);
    const signInPasses = await takeSignInPasses(tx, accountId, now);
    if (trustedDevices + knownBrowsers + signInPasses > 0)
      await audit(tx, source, now, { event: "devices-forgotten", accountId });
    return { trustedDevices, knownBrowsers, signInPasses };
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
