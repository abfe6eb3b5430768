import { maskedNumber } from "../customers/phones.server";
import { applyNewPhone, type DecidedPhone, stopNewPhone } from "../accounts/new-phone.server";
import type { NoticeDependencies } from "../notices/notices.server";
import type { AccountState, GraveAct } from "../store/column-values.server";
import type { AuditEventName, StaffSource } from "../audit/audit-event.server";
import {
  barAccount,
  enableAccount,
  endSessions,
  forgetDevices,
  lockOut,
  type CustomerIds,
  resetFactors,
  type StateChange,
  type SupportAct,
  type SupportDependencies,
} from "./account-state.server";
import { resetCaps } from "./customer-caps.server";
import { isStopped } from "./factor-stops.server";
import type { AccountOverview } from "./overview.server";
import { unlockAccount } from "./sign-in-locks.server";

/** The acts of support on a customer's account, in the order in which the help desk links them. */
export const ACT_NAMES = [
  "unlock",
  "lock-out",
  "end-sessions",
  "forget-devices",
  "reset-factors",
  "reset-caps",
  "use-new-phone",
  "keep-old-phone",
  "disable",
  "enable",
  "expire",
] as const;
export type ActName = (typeof ACT_NAMES)[number];

/** The names of the counts in an act's outcome: what it has ended, removed, lifted, or left as it was. */
export const COUNTED_THINGS = [
  "timedLocks",
  "factorStops",
  "sessions",
  "codes",
  "signInPasses",
  "trustedDevices",
  "knownBrowsers",
  "factors",
  "recoveryCodes",
  "caps",
  "passkeysLeft",
] as const;
/** The counts of an act's outcome; a missing count is 0. */
export type Counts = Readonly<Partial<Record<(typeof COUNTED_THINGS)[number], number>>>;

/** The customer of an act, with an account or without, and the staff member who acts. */
export type OnCustomer = CustomerIds & { readonly source: StaffSource };
type OnAccount = OnCustomer & SupportAct;

/** The outcome of an act that was done, or that found nothing to do. */
interface RunOutcome {
  readonly kind: "done" | "nothing";
  readonly facts: object;
  readonly counts: Counts;
}
export type ActOutcome = RunOutcome | { readonly kind: "no-account" | "locked-by-a-person" };

interface ActOptions {
  /** Whether a lock-out removes the second factors, too. */
  readonly withFactors?: boolean;
}
type Run<Deps, On = OnCustomer> = (deps: Deps, act: On, options: ActOptions) => Promise<ActOutcome>;

/** The recipients of an act's notices. */
type Recipients = "no-one" | "customer" | "both-numbers";

/** An act on a customer's account, as a command and as a page of the help desk. */
export type Act = {
  readonly about: string;
  /**
   * The audit event that only this act writes, by which a double submit is recognised. Without such an event, a double
   * submit runs again, and mostly finds nothing to do.
   */
  readonly event?: AuditEventName;
  /** Whether the act can change anything on this account. Default: always. */
  readonly applies?: (shown: AccountOverview) => boolean;
  /** The recipients of the act's notices, if the act runs without options. */
  readonly tells: Recipients | ((shown: AccountOverview) => Recipients);
} & (
  | { readonly sendsNotices: true; readonly run: Run<SupportDependencies & NoticeDependencies> }
  | { readonly sendsNotices: false; readonly run: Run<SupportDependencies> }
);

const BARRED = ["disabled", "expired"];

const ACTS: Readonly<Record<ActName, Act>> = {
  unlock: {
    about: "lift the account's timed locks, stops after guessed codes, and a lock set by a person",
    event: "account-unlocked",
    applies: ({ state, tries, guesses }) =>
      state === "locked" || guesses.some(isStopped) || tries.some(({ lockedUntil }) => lockedUntil),
    tells: ({ guesses }) => (guesses.some(isStopped) ? "customer" : "no-one"),
    sendsNotices: true,
    run: requireAccount(async (deps, act) => {
      const unlocked = await unlockAccount(deps, act);
      const { timedLocks, factorStops, isStateLifted } = unlocked;
      const counts = { timedLocks, factorStops };
      return outcomeOf(unlocked, counts, isStateLifted || hasAny(counts));
    }),
  },
  "lock-out": {
    about: "for a lost phone: end all sessions and codes, and trust and know no device any more",
    tells: "no-one",
    sendsNotices: true,
    run: requireAccount(async (deps, act, { withFactors = false }) => {
      const { ended, forgotten, factors, passkeysLeft } = await lockOut(deps, act, { withFactors });
      const facts = { ended, forgotten, ...(withFactors && { factors: factors ?? null }), passkeysLeft };
      // Both count `signInPasses`. The end of sessions came first and took all passes, so its count wins.
      const counts = { ...forgotten, ...ended };
      return outcomeOf(facts, { ...counts, passkeysLeft }, factors !== undefined || hasAny(counts));
    }),
  },
  "end-sessions": {
    about: "end all sessions, those that wait for a code too, and all codes",
    tells: "no-one",
    sendsNotices: false,
    run: requireAccount(async (deps, act) => {
      const ended = await endSessions(deps, act);
      return outcomeOf({ ended }, { ...ended });
    }),
  },
  "forget-devices": {
    about: "trust none of the account's devices any more, and know none of its browsers",
    applies: ({ trustedDevices, knownBrowsers }) => trustedDevices.length + knownBrowsers > 0,
    tells: "no-one",
    sendsNotices: false,
    run: requireAccount(async (deps, act) => {
      const forgotten = await forgetDevices(deps, act);
      return outcomeOf({ forgotten }, { ...forgotten });
    }),
  },
  "reset-factors": {
    about:
      "for a lost app and recovery code: remove all second factors, and end sessions and trusted devices",
    event: "factors-reset",
    applies: ({ factors }) => factors.factors.length > 0,
    tells: "customer",
    sendsNotices: true,
    run: requireAccount(async (deps, act) => {
      const reset = await resetFactors(deps, act);
      if (!reset) return NOTHING;
      const { factors, recoveryCode, trustedDevices, ended } = reset;
      return outcomeOf(
        reset,
        { factors, recoveryCodes: recoveryCode ? 1 : 0, trustedDevices, ...ended },
        true,
      );
    }),
  },
  "reset-caps": {
    about: "let messages go to the customer again: their own caps count from zero",
    event: "caps-reset",
    applies: ({ usedUpCaps }) => usedUpCaps.length > 0,
    tells: "no-one",
    sendsNotices: false,
    run: async (deps, { source, ...customer }) => {
      const caps = await resetCaps(deps, source, customer);
      const reset = caps.map(({ of, usedUpUntil }) => ({ of, wasUsedUp: usedUpUntil !== undefined }));
      return outcomeOf({ reset }, { caps: caps.length });
    },
  },
  "use-new-phone": {
    about: "send codes to a new number that waits at once, and tell both numbers",
    event: "new-phone-used",
    applies: ({ newPhone }) => newPhone !== undefined,
    tells: "both-numbers",
    sendsNotices: true,
    run: requireAccount(async (deps, act) =>
      phoneOutcome("used", await applyNewPhone(deps, act.source, act)),
    ),
  },
  "keep-old-phone": {
    about: "stop a new number that waits, and tell both numbers",
    event: "new-phone-stopped",
    applies: ({ newPhone }) => newPhone !== undefined,
    tells: "both-numbers",
    sendsNotices: true,
    run: requireAccount(async (deps, act) =>
      phoneOutcome("stopped", await stopNewPhone(deps, act.source, act)),
    ),
  },
  disable: {
    about: "set the account's state to disabled, and end its sessions and codes",
    event: "account-disabled",
    applies: ({ state }) => state !== "disabled",
    tells: "no-one",
    sendsNotices: false,
    run: requireAccount(async (deps, act) =>
      stateOutcome("disabled", await barAccount(deps, act, "disabled")),
    ),
  },
  enable: {
    about: "make a disabled or expired account active again",
    event: "account-enabled",
    applies: ({ state }) => BARRED.includes(state),
    tells: "no-one",
    sendsNotices: false,
    run: requireAccount(async (deps, act) => stateOutcome("active", await enableAccount(deps, act))),
  },
  expire: {
    about: "set the account's state to expired, and end its sessions and codes",
    event: "account-expired",
    applies: ({ state }) => state !== "expired",
    tells: "no-one",
    sendsNotices: false,
    run: requireAccount(async (deps, act) => stateOutcome("expired", await barAccount(deps, act, "expired"))),
  },
};

/** The act with this name. */
export function actOf(name: ActName): Act {
  return ACTS[name];
}

const GRAVE: readonly GraveAct[] = ["reset-factors", "use-new-phone", "enable"];

/** Whether an act can open an account in this state to another person. A second staff member may have to approve it. */
export function isGrave(name: ActName, state: AccountState | undefined): name is GraveAct {
  return GRAVE.some((grave) => grave === name) || (name === "unlock" && state === "locked");
}

/** Runs the act only if the customer has an account. */
function requireAccount<Deps>(run: Run<Deps, OnAccount>): Run<Deps> {
  return async (deps, { accountId, ...act }, options) =>
    accountId === undefined ? { kind: "no-account" } : run(deps, { ...act, accountId }, options);
}

const NOTHING: RunOutcome = { kind: "nothing", facts: {}, counts: {} };

/** The outcome of an act: done if it changed anything. */
function outcomeOf(facts: object, counts: Counts, isDone = hasAny(counts)): RunOutcome {
  return { kind: isDone ? "done" : "nothing", facts, counts };
}

function hasAny(counts: Counts): boolean {
  return Object.values(counts).some((count) => count > 0);
}

/** The outcome of a decision about a new phone number; `phones` is undefined if no number waits. */
function phoneOutcome(outcome: "used" | "stopped", phones: DecidedPhone | undefined): RunOutcome {
  if (!phones) return NOTHING;
  const { oldPhone, newPhone, from, isTold } = phones;
  const masked = { oldPhone: maskedNumber(oldPhone), newPhone: maskedNumber(newPhone) };
  return outcomeOf({ outcome, ...masked, from: new Date(from), isTold }, {}, true);
}

/** The outcome of a change of the account's state. */
function stateOutcome(state: AccountState, change: StateChange): ActOutcome {
  switch (change.kind) {
    case "changed": {
      const { from, ended } = change;
      return outcomeOf({ from, state, ...(ended && { ended }) }, { ...ended }, true);
    }
    case "unchanged":
      return { ...NOTHING, facts: { state } };
    case "locked-by-a-person":
      return { kind: change.kind };
  }
}
