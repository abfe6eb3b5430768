import type {
  EndedAccess,
  ForgottenDevices,
  Policyholder,
  StateChange,
  SupportAct,
} from "../../services/support/account-state.server";
import type { CappedThing, CountedCap } from "../../services/support/customer-caps.server";
import type { Unlocked } from "../../services/support/sign-in-locks.server";
import { counted } from "../kit/counted.server";
import { Nonsense } from "../kit/exit-code.server";

// What each command reports: facts for JSON, lines for people.

type Changed = Extract<StateChange, { readonly kind: "changed" }>;
type Unchanged = Extract<StateChange, { readonly kind: "unchanged" }>;
type OnAccount = Pick<SupportAct, "accountId">;

/** What is limited for one customer, in words. */
export const THINGS: Readonly<Record<CappedThing, string>> = {
  "codes-signed-out": "codes asked for signed out",
  "codes-after-password": "codes after a right password",
  "codes-in-known-browser": "codes in a known browser",
  "notices-of-changes": "SMS notices of changes",
  "notices-of-locks": "SMS notices of locks",
  "codes-after-wrong-codes": "new codes after too many wrong ones",
};

/** `account unlock`. */
export function tellUnlocked({ accountId }: OnAccount, unlocked: Unlocked) {
  const { timedLocks, isStateLifted, state } = unlocked;
  const changed = timedLocks > 0 || isStateLifted;
  const lifted = [
    ...(isStateLifted ? ["the lock set by a person"] : []),
    ...(timedLocks > 0 ? [counted(timedLocks, "timed lock")] : []),
  ];
  const stays = state === "active" ? "" : ` It stays ${state}.`;
  return {
    facts: { account: accountId, changed, ...unlocked },
    lines: [
      `Account ${accountId}: ${changed ? `lifted ${lifted.join(" and ")}` : "was not locked"}.${stays}`,
    ],
  };
}

/** `account disable` and `account expire`. */
export function tellBarred(act: OnAccount, state: "disabled" | "expired", change: Changed | Unchanged) {
  if (change.kind === "unchanged") return tellUnchanged(act, change);
  const { from, ended } = change;
  return {
    facts: { account: act.accountId, changed: true, from, state, ended },
    lines: [
      `Account ${act.accountId}: ${state}; was ${from}.`,
      ...(ended && hasEnded(ended) ? [`Ended ${endedInWords(ended)}.`] : []),
    ],
  };
}

/** `account enable`. @throws Nonsense if a person has locked the account */
export function tellEnabled(act: OnAccount, change: StateChange) {
  if (change.kind === "locked-by-a-person")
    throw new Nonsense("this account is locked, not disabled or expired: use account unlock");
  if (change.kind === "unchanged") return tellUnchanged(act, change);
  return {
    facts: { account: act.accountId, changed: true, from: change.from, state: "active" },
    lines: [`Account ${act.accountId}: active; was ${change.from}.`],
  };
}

/** `account end-sessions`. */
export function tellSessions({ accountId }: OnAccount, ended: EndedAccess) {
  const changed = hasEnded(ended);
  return {
    facts: { account: accountId, changed, ended },
    lines: [
      `Account ${accountId}: ${changed ? `ended ${endedInWords(ended)}` : "no sessions or codes were open"}.`,
    ],
  };
}

/** `account forget-devices`. */
export function tellDevices({ accountId }: OnAccount, forgotten: ForgottenDevices) {
  const { trustedDevices, knownBrowsers, signInPasses } = forgotten;
  const changed = trustedDevices + knownBrowsers + signInPasses > 0;
  const words = inWords([
    [trustedDevices, "trusted device"],
    [knownBrowsers, "known browser"],
    [signInPasses, "sign-in pass", "sign-in passes"],
  ]);
  return {
    facts: { account: accountId, changed, forgotten },
    lines: [`Account ${accountId}: ${changed ? `forgot ${words}` : "no devices were trusted or known"}.`],
  };
}

/** `account reset-caps`. */
export function tellCaps({ accountId }: Policyholder, caps: readonly CountedCap[]) {
  const who = accountId === undefined ? "Customer without an account" : `Account ${accountId}`;
  const reset = caps.map(({ of, usedUpUntil }) => ({ of, wasUsedUp: usedUpUntil !== undefined }));
  const words = reset.map(({ of, wasUsedUp }) => `${THINGS[of]}${wasUsedUp ? " (used up)" : ""}`);
  return {
    facts: { account: accountId ?? null, changed: caps.length > 0, reset },
    lines: [`${who}: ${caps.length > 0 ? `reset ${words.join(", ")}` : "no caps had counted anything"}.`],
  };
}

function tellUnchanged({ accountId }: OnAccount, { state }: Unchanged) {
  return {
    facts: { account: accountId, changed: false, state },
    lines: [`Account ${accountId}: is ${state} already.`],
  };
}

function hasEnded({ sessions, codes, signInPasses }: EndedAccess): boolean {
  return sessions + codes + signInPasses > 0;
}

function endedInWords({ sessions, codes, signInPasses }: EndedAccess): string {
  return inWords([
    [sessions, "session"],
    [codes, "open code"],
    [signInPasses, "sign-in pass", "sign-in passes"],
  ]);
}

/** The counts above zero: "2 sessions, 1 open code". */
function inWords(counts: readonly Parameters<typeof counted>[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, ...names]) => counted(count, ...names))
    .join(", ");
}
