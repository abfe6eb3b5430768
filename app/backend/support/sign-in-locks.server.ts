import type { Reader } from "../store/store.server";
import {
  attemptsOf,
  browserSubject,
  deviceSubject,
  forgetAttempts,
  signInPolicy,
  usernameSubject,
} from "../limits/attempts.server";
import { knownBrowserHashes } from "../sign-in/sessions.server";
import { trustedDevices } from "../sign-in/trusted-devices.server";
import type { NoticeDependencies } from "../notices/notices.server";
import type { AccountState } from "../store/column-values.server";
import { audit } from "../audit/audit-event.server";
import { liftFactorStops } from "./factor-stops.server";
import { setState, type SupportAct, type SupportDependencies, withAccount } from "./account-state.server";

/** A place where an account's wrong passwords are counted separately. */
interface SignInPlace {
  readonly where: "unknown-browsers" | "known-browser" | "trusted-device";
  /** Only of trusted devices; known browsers have no name. */
  readonly deviceName?: string;
  readonly subject: string;
}

/** Wrong passwords typed in one place. */
export interface SignInTries extends SignInPlace {
  /** Wrong passwords that count towards the next lock. */
  readonly tries: number;
  /** When the lock ends, in ms; undefined if there is none. */
  readonly lockedUntil: number | undefined;
}

/** The places where wrong passwords count at the moment, locked or not. */
export async function signInTries(
  reader: Reader,
  deps: SupportDependencies,
  account: { readonly accountId: string; readonly username: string },
): Promise<readonly SignInTries[]> {
  const now = deps.clock();
  const policy = signInPolicy(deps.limits);
  const places = await signInPlaces(reader, deps, account, now);
  const kept = await attemptsOf(
    reader,
    places.map(({ subject }) => subject),
  );
  return places.flatMap((place): SignInTries[] => {
    const row = kept.get(place.subject);
    if (!row) return [];
    if (row.blocked_until > now) return [{ ...place, tries: row.tries, lockedUntil: row.blocked_until }];
    const isOver = row.last_at <= now - policy.forgetAfter || row.tries >= policy.limit;
    return isOver || row.tries === 0 ? [] : [{ ...place, tries: row.tries, lockedUntil: undefined }];
  });
}

async function signInPlaces(
  reader: Reader,
  deps: SupportDependencies,
  { accountId, username }: { readonly accountId: string; readonly username: string },
  now: number,
): Promise<readonly SignInPlace[]> {
  const browsers = await knownBrowserHashes(reader, accountId, now);
  const devices = await trustedDevices(reader, accountId, now);
  return [
    { where: "unknown-browsers", subject: usernameSubject(deps, username) },
    ...browsers.map((hash) => ({
      where: "known-browser" as const,
      subject: browserSubject(accountId, hash),
    })),
    ...devices.map(({ id, device_name }) => ({
      where: "trusted-device" as const,
      deviceName: device_name,
      subject: deviceSubject(id),
    })),
  ];
}

/** The outcome of an unlock. */
export interface Unlocked {
  /** Timed locks: of unknown browsers, known browsers and trusted devices. */
  readonly timedLocks: number;
  /** In how many places wrong codes of second factors had stopped the comparing. */
  readonly factorStops: number;
  /** Whether a lock set by a person was lifted. */
  readonly isStateLifted: boolean;
  /** The state afterwards. */
  readonly state: AccountState;
}

/**
 * Lifts the timed locks of an account, the stops after wrong codes of its second factors, and a lock set by a person.
 * A disabled or expired account stays barred.
 */
export function unlockAccount(
  deps: SupportDependencies & NoticeDependencies,
  act: SupportAct,
): Promise<Unlocked> {
  const { accountId, source } = act;
  return withAccount(deps, act, async (tx, account) => {
    const tries = await signInTries(tx, deps, account);
    const locked = tries.filter(({ lockedUntil }) => lockedUntil !== undefined);
    for (const { subject } of locked) await forgetAttempts(tx, subject);
    const timedLocks = locked.length;
    const factorStops = await liftFactorStops(tx, deps, act, account);
    const lifted = { timedLocks, factorStops };
    const event = "account-unlocked";
    if (account.state === "locked") {
      await setState(tx, deps, act, { state: "active", event });
      return { ...lifted, isStateLifted: true, state: "active" };
    }
    if (timedLocks + factorStops > 0) await audit(tx, source, deps.clock(), { event, accountId });
    return { ...lifted, isStateLifted: false, state: account.state };
  });
}
