import type { AuditEventName } from "~/backend/audit-event.server";
import { applyNewPhone, type DecidedPhone, stopNewPhone } from "~/backend/services/accounts/new-phone.server";
import type { NoticeDependencies } from "~/backend/services/notices/notices.server";
import type { AccountState, GraveAct } from "~/backend/store/column-values.server";
import {
  barAccount,
  enableAccount,
  endSessions,
  type ForgottenDevices,
  forgetDevices,
  lockOut,
  type Policyholder,
  resetFactors,
  type StateChange,
  type SupportAct,
  type SupportDependencies,
} from "~/operators/support/account-state.server";
import { resetCaps } from "~/operators/support/customer-caps.server";
import { isStopped } from "~/operators/support/factor-stops.server";
import type { AccountOverview } from "~/operators/support/overview.server";
import { unlockAccount } from "~/operators/support/sign-in-locks.server";
import { ACT_NAMES, type ActName, type Counts } from "./done";

type ActDependencies = SupportDependencies & NoticeDependencies;

/** An act on a customer. */
type OnCustomer = Policyholder & Pick<SupportAct, "source">;
/** An act on a customer with an account. */
type OnAccount = OnCustomer & SupportAct;
type Run<On> = (deps: ActDependencies, act: On) => Promise<Counts | undefined>;

/** The recipients of an act's notices. */
type Told = "nobody" | "customer" | "both-numbers";

/** An act on a customer's account: what the command of this name does (docs/operations/commands.md). */
interface Act {
  /** The event that no other act leaves. Without one, a second press does what is left, or finds nothing to do. */
  readonly event?: AuditEventName;
  /** Whether there is something for it to do. By default, always. */
  readonly applies?: (shown: AccountOverview) => boolean;
  /** The messages that the customer gets. */
  readonly tells: Told | ((shown: AccountOverview) => Told);
  /** Undefined if there was nothing to do. */
  readonly run: Run<OnCustomer>;
}

const BARRED = ["disabled", "expired"];

/** Without an account there is nothing to do. */
function onAccount(run: Run<OnAccount>): Run<OnCustomer> {
  return (deps, { accountId, ...act }) =>
    accountId === undefined ? Promise.resolve(undefined) : run(deps, { ...act, accountId });
}

const ACTS: Readonly<Record<ActName, Act>> = {
  unlock: {
    event: "account-unlocked",
    applies: ({ state, tries, guesses }) =>
      state === "locked" || guesses.some(isStopped) || tries.some(({ lockedUntil }) => lockedUntil),
    tells: ({ guesses }) => (guesses.some(isStopped) ? "customer" : "nobody"),
    run: onAccount(async (deps, act) => {
      const { timedLocks, factorStops, isStateLifted } = await unlockAccount(deps, act);
      return isStateLifted ? { timedLocks, factorStops } : unlessNone({ timedLocks, factorStops });
    }),
  },
  "lock-out": {
    tells: "nobody",
    run: onAccount(async (deps, act) => {
      const { ended, forgotten, passkeysLeft } = await lockOut(deps, act, { withFactors: false });
      const counts = unlessNone({ ...ended, ...withoutPasses(forgotten) });
      return counts && { ...counts, passkeysLeft };
    }),
  },
  "end-sessions": {
    tells: "nobody",
    run: onAccount(async (deps, act) => unlessNone(await endSessions(deps, act))),
  },
  "forget-devices": {
    applies: ({ trustedDevices, knownBrowsers }) => trustedDevices.length + knownBrowsers > 0,
    tells: "nobody",
    run: onAccount(async (deps, act) => unlessNone(await forgetDevices(deps, act))),
  },
  "reset-factors": {
    event: "factors-reset",
    applies: ({ factors }) => factors.factors.length > 0,
    tells: "customer",
    run: onAccount(async (deps, act) => {
      const reset = await resetFactors(deps, act);
      if (!reset) return undefined;
      const { factors, recoveryCode, trustedDevices, ended } = reset;
      return { factors, recoveryCodes: recoveryCode ? 1 : 0, trustedDevices, ...ended };
    }),
  },
  "reset-caps": {
    event: "caps-reset",
    applies: ({ usedUpCaps }) => usedUpCaps.length > 0,
    tells: "nobody",
    run: async (deps, { source, customerId, accountId }) =>
      unlessNone({ caps: (await resetCaps(deps, source, { customerId, accountId })).length }),
  },
  "use-new-phone": {
    event: "new-phone-used",
    applies: ({ newPhone }) => newPhone !== undefined,
    tells: "both-numbers",
    run: onAccount(async (deps, act) => decided(await applyNewPhone(deps, act.source, act))),
  },
  "keep-old-phone": {
    event: "new-phone-stopped",
    applies: ({ newPhone }) => newPhone !== undefined,
    tells: "both-numbers",
    run: onAccount(async (deps, act) => decided(await stopNewPhone(deps, act.source, act))),
  },
  disable: {
    event: "account-disabled",
    applies: ({ state }) => state !== "disabled",
    tells: "nobody",
    run: onAccount(async (deps, act) => changed(await barAccount(deps, act, "disabled"))),
  },
  enable: {
    event: "account-enabled",
    applies: ({ state }) => BARRED.includes(state),
    tells: "nobody",
    run: onAccount(async (deps, act) => changed(await enableAccount(deps, act))),
  },
  expire: {
    event: "account-expired",
    applies: ({ state }) => state !== "expired",
    tells: "nobody",
    run: onAccount(async (deps, act) => changed(await barAccount(deps, act, "expired"))),
  },
};

/** The act of this name. */
export function actOf(name: ActName): Act {
  return ACTS[name];
}

/** Reads an act's name from an address. */
export function readActName(text: string | undefined): ActName | undefined {
  return ACT_NAMES.find((name) => name === text);
}

const GRAVE: readonly GraveAct[] = ["reset-factors", "use-new-phone", "enable"];

/** Whether an act can open an account in this state to somebody else. */
export function isGrave(name: ActName, state: AccountState | undefined): name is GraveAct {
  return GRAVE.some((grave) => grave === name) || (name === "unlock" && state === "locked");
}

function unlessNone(counts: Counts): Counts | undefined {
  return Object.values(counts).some((count) => count > 0) ? counts : undefined;
}

/** A lock-out has counted the passes among what it has ended. */
function withoutPasses({ trustedDevices, knownBrowsers }: ForgottenDevices): Counts {
  return { trustedDevices, knownBrowsers };
}

function decided(phones: DecidedPhone | undefined): Counts | undefined {
  return phones && {};
}

function changed(change: StateChange): Counts | undefined {
  return change.kind === "changed" ? { ...change.ended } : undefined;
}
