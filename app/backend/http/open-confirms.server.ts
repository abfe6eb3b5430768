import type { CallName } from "~/contract/calls.server";
import { usernameKey } from "~/contract/identifiers";
import type { Purpose } from "~/contract/purposes";
import type { Refusal } from "~/contract/refusal.server";
import { addressBucket } from "~/platform/network/address-bucket";
import type { Caller } from "../caller.server";
import { MINUTE } from "../clock.server";
import { countRateLimitedConfirm } from "../counted-events.server";
import type { Dependencies } from "../dependencies.server";
import { tokenHash } from "../secrets/keyed-hashes.server";
import { takeFromWindow } from "../services/counting/windows.server";
import { isKnownToAnyone } from "../services/sign-in/known-browsers.server";
import { isActive, type Session } from "../services/sign-in/sessions.server";

/** The confirms that need no password, and the purpose of their code. */
const OPEN_CONFIRMS: Partial<Record<CallName, Purpose>> = {
  registerConfirm: "register",
  passwordResetConfirm: "password",
  loginRemindConfirm: "usernameRemind",
};

/**
 * Counts a confirm of an open journey for the caller's address, and refuses it if there were too many (S110). This
 * comes before any look-up, whatever the confirm contains. Signed-in customers who change their own password are not
 * counted.
 */
export async function limitOpenConfirm(
  deps: Dependencies,
  caller: Caller,
  name: CallName,
  parameters: Readonly<Record<string, string>>,
  session: Session | undefined,
): Promise<Refusal | undefined> {
  const purpose = OPEN_CONFIRMS[name];
  if (!purpose || isOwnPassword(parameters["username"], session)) return undefined;
  const refusal = await takeConfirm(deps, caller);
  if (refusal) countRateLimitedConfirm(purpose);
  return refusal;
}

/** Others at the same address may use up its confirms. A known browser then has the same number of its own (S107). */
async function takeConfirm(deps: Dependencies, caller: Caller): Promise<Refusal | undefined> {
  const refusal = await takeFrom(deps, `confirms|address|${addressBucket(caller.address)}`);
  if (!refusal || !(await isKnownToAnyone(deps.store.read, caller, deps.clock()))) return refusal;
  return takeFrom(deps, `confirms|browser|${tokenHash(caller.browser)}`);
}

async function takeFrom(deps: Dependencies, bucket: string): Promise<Refusal | undefined> {
  const { limits, fullWindows, store } = deps;
  const now = deps.clock();
  const known = fullWindows.refusal(bucket, now);
  if (known) return known;
  const cap = { bucket, most: limits.ADDRESS_CONFIRMS_PER_10_MINUTES, lengthMs: 10 * MINUTE };
  const refusal = await store.write((tx) => takeFromWindow(tx, cap, now));
  if (refusal?.kind === "rate-limited") fullWindows.remember(bucket, refusal.retryAfterSeconds, now);
  return refusal;
}

function isOwnPassword(username: string | undefined, session: Session | undefined): boolean {
  if (username === undefined || !session || !isActive(session)) return false;
  return usernameKey(session.username) === usernameKey(username);
}
