import type { FactorKind } from "~/contract/factors.server";
import type { Premium } from "~/contract/premium.server";
import { premiumOf } from "../customers/premiums.server";
import { allFactors, shownFactorsOf } from "../factors/factors.server";
import { makerOf } from "../factors/passkey-makers.server";
import { isoDayInPoland } from "~/platform/time.server";
import type { Reader } from "../store/store.server";
import type { AccountState, CustomerKind, SessionState } from "../store/column-values.server";
import type { LockedState } from "../customers/customers.server";
import { lastSignInBefore } from "../accounts/activity.server";
import { openNow, openSessions } from "../accounts/open-sessions.server";
import { knownBrowserHashes } from "../sign-in/sessions.server";
import { trustedDevices } from "../sign-in/trusted-devices.server";
import { type CappedMessages, countedCaps } from "./customer-caps.server";
import { type GuessedCodes, guessedCodes } from "./factor-stops.server";
import { lastMessages, type ShownMessage } from "./last-messages.server";
import { type ShownPhones, shownPhones } from "./new-phone.server";
import { type ShownEvent, shownEvents } from "./shown-events.server";
import { signInTries, type SignInTries } from "./sign-in-locks.server";
import type { CustomerIds, SupportDependencies } from "./account-state.server";

/** An account as the help desk needs to see it. Nothing in it is secret, and no identifier is whole. */
export interface AccountOverview extends ShownPhones {
  readonly account: string;
  readonly customerKind: CustomerKind;
  readonly state: AccountState;
  /** Wrong passwords that count, by where they were typed. */
  readonly tries: readonly (Pick<SignInTries, "where" | "deviceName" | "tries"> & {
    readonly lockedUntil: Date | undefined;
  })[];
  /** Wrong codes of the account's factors that count, by where they were typed. */
  readonly guesses: readonly (Omit<GuessedCodes, "stoppedUntil"> & {
    readonly stoppedUntil: Date | undefined;
  })[];
  readonly username: string;
  readonly registeredAt: Date;
  readonly policies: { readonly all: number; readonly validToday: number };
  /** The policies that have one. */
  readonly premiums: readonly { readonly policyNo: string; readonly premium: Premium }[];
  readonly sessions: readonly {
    readonly state: SessionState;
    readonly deviceName: string;
    readonly startedAt: Date;
    readonly lastSeenAt: Date;
  }[];
  readonly trustedDevices: readonly { readonly deviceName: string; readonly until: Date }[];
  readonly factors: {
    readonly factors: readonly {
      readonly kind: FactorKind;
      readonly addedAt: Date;
      readonly lastUsedAt: Date | undefined;
      /** Only of a passkey. */
      readonly passkey?: ShownPasskey;
    }[];
    readonly recoveryCodeSetAt: Date | undefined;
    readonly smsAtSignIn: boolean;
  };
  readonly knownBrowsers: number;
  /** When the document password was set; undefined if there is none. */
  readonly documentPasswordSetAt: Date | undefined;
  /** The last of each kind, the newest first. */
  readonly messages: readonly ShownMessage[];
  readonly usedUpCaps: readonly { readonly of: CappedMessages; readonly until: Date }[];
  readonly lastSignIn: { readonly at: Date; readonly deviceName: string } | undefined;
  /** The newest first. */
  readonly events: readonly ShownEvent[];
}

/** Facts known only from a passkey's registration. */
interface ShownPasskey {
  /** Whether it signs in without a username; null if that isn't known. */
  readonly signsIn: boolean | null;
  /** Whether it has been copied to other devices, at its last use; null if that isn't known. */
  readonly copied: boolean | null;
  /** The device or password manager; null if it isn't known. */
  readonly maker: string | null;
}

/** Reads the overview. The caller has audited the look. */
export async function readOverview(
  reader: Reader,
  deps: SupportDependencies,
  { accountId, customerId, username, state }: LockedState,
  events: number,
): Promise<AccountOverview> {
  return {
    account: accountId,
    state,
    username: maskedUsername(username),
    ...(await shownPhones(reader, deps, { customerId, accountId })),
    ...(await ofCustomer(reader, deps, customerId)),
    ...(await ofSignIn(reader, deps, { accountId, username })),
    usedUpCaps: await usedUpCaps(reader, deps, { customerId, accountId }),
    messages: await lastMessages(reader, customerId),
    factors: await ofFactors(reader, accountId),
    ...(await ofAccount(reader, deps, accountId)),
    events: await shownEvents(reader, { accountId }, events),
  };
}

/** Shows at most the first and the last two characters: enough to check what a customer says on the phone. */
function maskedUsername(username: string): string {
  const characters = [...username];
  return `${characters[0] ?? ""}•••${characters.slice(-2).join("")}`;
}

/** The policyholder's kind, policies and premiums. */
export async function ofCustomer(
  reader: Reader,
  deps: SupportDependencies,
  customerId: string,
): Promise<Pick<AccountOverview, "customerKind" | "policies" | "premiums">> {
  const { kind } = await reader
    .selectFrom("customers")
    .select("kind")
    .where("id", "=", customerId)
    .executeTakeFirstOrThrow();
  const policies = await reader
    .selectFrom("policies")
    .select(["id", "policy_no", "valid_from", "valid_to", "premium_sealed"])
    .where("customer_id", "=", customerId)
    .orderBy("policy_no")
    .execute();
  const today = isoDayInPoland(deps.clock());
  const valid = policies.filter(({ valid_from, valid_to }) => valid_from <= today && today <= valid_to);
  return {
    customerKind: kind,
    policies: { all: policies.length, validToday: valid.length },
    premiums: policies.flatMap((row) => {
      const premium = premiumOf(deps.keyring, row);
      return premium ? [{ policyNo: row.policy_no, premium }] : [];
    }),
  };
}

async function ofSignIn(
  reader: Reader,
  deps: SupportDependencies,
  account: { readonly accountId: string; readonly username: string },
) {
  const { accountId } = account;
  const now = deps.clock();
  const tries = await signInTries(reader, deps, account);
  const guesses = await guessedCodes(reader, deps, accountId);
  const sessions = await openSessions(reader, openNow(deps, accountId))
    .select(["state", "device_name", "created_at", "last_seen_at"])
    .orderBy("last_seen_at", "desc")
    .orderBy("created_at", "desc")
    .execute();
  const devices = await trustedDevices(reader, accountId, now);
  return {
    tries: tries.map(({ where, deviceName, tries: count, lockedUntil }) => ({
      where,
      ...(deviceName !== undefined && { deviceName }),
      tries: count,
      lockedUntil: lockedUntil === undefined ? undefined : new Date(lockedUntil),
    })),
    guesses: guesses.map(({ stoppedUntil, ...guess }) => ({
      ...guess,
      stoppedUntil: stoppedUntil === undefined ? undefined : new Date(stoppedUntil),
    })),
    sessions: sessions.map((session) => ({
      state: session.state,
      deviceName: session.device_name,
      startedAt: new Date(session.created_at),
      lastSeenAt: new Date(session.last_seen_at),
    })),
    trustedDevices: devices.map(({ device_name, ends_at }) => ({
      deviceName: device_name,
      until: new Date(ends_at),
    })),
    knownBrowsers: (await knownBrowserHashes(reader, accountId, now)).length,
  };
}

/** Their names are left out: customers choose them. */
async function ofFactors(reader: Reader, accountId: string): Promise<AccountOverview["factors"]> {
  const factors = await shownFactorsOf(reader, accountId);
  const { settings } = factors;
  const setAt = settings?.recovery_set_at;
  return {
    factors: allFactors(factors).map((factor) => ({
      kind: factor.kind,
      addedAt: new Date(factor.added_at),
      lastUsedAt: factor.last_used_at === null ? undefined : new Date(factor.last_used_at),
      ...(factor.kind === "passkey" && {
        passkey: {
          signsIn: asBoolean(factor.discoverable),
          copied: asBoolean(factor.backed_up),
          maker: makerOf(factor.aaguid) ?? null,
        },
      }),
    })),
    recoveryCodeSetAt: typeof setAt === "number" ? new Date(setAt) : undefined,
    smsAtSignIn: settings?.sms !== "off",
  };
}

function asBoolean(stored: number | null): boolean | null {
  return stored === null ? null : stored === 1;
}

/** The customer's caps that stop something now. */
export async function usedUpCaps(
  reader: Reader,
  deps: SupportDependencies,
  customer: CustomerIds,
): Promise<AccountOverview["usedUpCaps"]> {
  const counted = await countedCaps(reader, deps, customer);
  return counted.flatMap(({ of, usedUpUntil }) =>
    usedUpUntil === undefined ? [] : [{ of, until: new Date(usedUpUntil) }],
  );
}

async function ofAccount(reader: Reader, deps: SupportDependencies, accountId: string) {
  const { created_at, changed_at } = await reader
    .selectFrom("accounts")
    .leftJoin("document_passwords", "document_passwords.account_id", "accounts.id")
    .select(["accounts.created_at", "document_passwords.changed_at"])
    .where("accounts.id", "=", accountId)
    .executeTakeFirstOrThrow();
  const lastSignIn = await lastSignInBefore(reader, deps, accountId, deps.clock() + 1);
  return {
    registeredAt: new Date(created_at),
    documentPasswordSetAt: changed_at === null ? undefined : new Date(changed_at),
    lastSignIn: lastSignIn && { at: new Date(lastSignIn.at), deviceName: lastSignIn.deviceName },
  };
}
