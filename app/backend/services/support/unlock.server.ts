import type { AccountState } from "../../store/tables.server";
import { audit } from "../audit/write-event.server";
import { forgetAttempts } from "../counting/attempts.server";
import { setState } from "./account-state.server";
import { signInTries } from "./sign-in-locks.server";
import { withAccount, type SupportAct, type SupportDependencies } from "./support-act.server";

/** The outcome of an unlock. */
export interface Unlocked {
  /** Timed locks: of unknown browsers, known browsers and trusted devices. */
  readonly timedLocks: number;
  /** Whether a lock set by a person was lifted. */
  readonly isStateLifted: boolean;
  /** The state afterwards. */
  readonly state: AccountState;
}

/** Lifts the timed locks of an account, and a lock set by a person. A disabled or expired account stays barred. */
export function unlockAccount(deps: SupportDependencies, act: SupportAct): Promise<Unlocked> {
  const { accountId, source } = act;
  return withAccount(deps, act, async (tx, account) => {
    const tries = await signInTries(tx, deps, account);
    const locked = tries.filter(({ lockedUntil }) => lockedUntil !== undefined);
    for (const { subject } of locked) await forgetAttempts(tx, subject);
    const timedLocks = locked.length;
    const event = "account-unlocked";
    if (account.state === "locked") {
      await setState(tx, deps, act, { state: "active", event });
      return { timedLocks, isStateLifted: true, state: "active" };
    }
    if (timedLocks > 0) await audit(tx, source, deps.clock(), { event, accountId });
    return { timedLocks, isStateLifted: false, state: account.state };
  });
}
