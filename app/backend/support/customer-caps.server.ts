import { PURPOSES } from "~/contract/purposes";
import type { Reader } from "../store/store.server";
import {
  lockState,
  lockCustomer,
  typedHolder,
  typedPolicy,
  typedUsername,
} from "../customers/customers.server";
import { recipientOf } from "../customers/phones.server";
import { openPid } from "../customers/write-customer.server";
import { codeSubject } from "../codes/code-rows.server";
import { attemptsOf, forgetAttempts } from "../limits/attempts.server";
import { knownBrowserHashes } from "../sign-in/sessions.server";
import { lastEvents } from "../audit/find-events.server";
import { NOTICE_EVENTS } from "~/contract/notices";
import { browserCaps, numberCaps, typedCaps } from "../limits/code-caps.server";
import { noticeCap } from "../limits/notice-caps.server";
import { type WindowCap, windowsOf } from "../limits/windows.server";
import { MINUTE } from "~/platform/time.server";
import { audit, type StaffSource } from "../audit/audit-event.server";
import { type CustomerIds, type SupportDependencies, subjectOf } from "./account-state.server";

/**
 * The kinds of messages that are capped for one customer. `codes-after-wrong-codes`: all new codes, for a time after
 * too many wrong ones.
 */
export type CappedMessages =
  | "codes-signed-out"
  | "codes-after-password"
  | "codes-in-known-browser"
  | "notices-of-changes"
  | "notices-of-locks"
  | "mail-notices-of-changes"
  | "mail-notices-of-locks"
  | "codes-after-wrong-codes";

/** A cap of one customer with a count above zero. */
export interface CountedCap {
  readonly of: CappedMessages;
  /**
   * When messages can be sent again, in ms; undefined if the cap is not used up. A notice cap at its maximum counts as used
   * up only if a notice was in fact held back: one lock a day fills the cap on notices of locks.
   */
  readonly usedUpUntil: number | undefined;
  /** The windows that count it. Senders spend from them in this order, so resetting them in it can't deadlock. */
  readonly buckets: readonly string[];
  /** The keys of the tries that have stopped codes. */
  readonly subjects: readonly string[];
}

/** The caps of one customer with a count above zero. Caps on addresses and the budgets don't belong to a customer. */
export async function countedCaps(
  reader: Reader,
  deps: SupportDependencies,
  customer: CustomerIds,
): Promise<readonly CountedCap[]> {
  const now = deps.clock();
  const stopped = await stoppedCodes(reader, deps, customer);
  const caps = await customerCaps(reader, deps, customer);
  const windows = await windowsOf(
    reader,
    caps.flatMap(([, own]) => own.map(({ bucket }) => bucket)),
    now,
  );
  const counted: CountedCap[] = [];
  for (const [of, own] of caps) {
    const buckets = own.map(({ bucket }) => bucket).filter((bucket) => windows.has(bucket));
    if (buckets.length === 0) continue;
    const ends: number[] = [];
    for (const cap of own) {
      const window = windows.get(cap.bucket);
      if (window && window.count >= cap.most && (await stops(reader, customer, of, cap, window.ends_at)))
        ends.push(window.ends_at);
    }
    const usedUpUntil = ends.length > 0 ? Math.max(...ends) : undefined;
    counted.push({ of, usedUpUntil, buckets, subjects: [] });
  }
  return [...stopped, ...counted];
}

/** The audit events that the notices of each cap are about. */
const CHANGES = NOTICE_EVENTS.filter((event) => event !== "sign-in-locked");
const LOCKS = ["sign-in-locked"];
const NOTICES: Partial<Record<CappedMessages, readonly string[]>> = {
  "notices-of-changes": CHANGES,
  "notices-of-locks": LOCKS,
  "mail-notices-of-changes": CHANGES,
  "mail-notices-of-locks": LOCKS,
};

/** Whether a full cap stops something: the next code, or a notice that the customer should have got already. */
async function stops(
  reader: Reader,
  { accountId }: CustomerIds,
  of: CappedMessages,
  { most, lengthMs }: WindowCap,
  endsAt: number,
): Promise<boolean> {
  const events = NOTICES[of];
  if (!events) return true;
  // An event is a moment older than its notice.
  const since = endsAt - lengthMs - MINUTE;
  return (await lastEvents(reader, { accountId, events, since }, most + 1)).length > most;
}

type CapsOfMessages = readonly [CappedMessages, readonly WindowCap[]];

async function customerCaps(
  reader: Reader,
  deps: SupportDependencies,
  { customerId, accountId }: CustomerIds,
): Promise<readonly CapsOfMessages[]> {
  const { limits } = deps;
  const to = await recipientOf(reader, deps, customerId);
  const typed = await claimableDetails(reader, deps, { customerId, accountId });
  const hashes = accountId === undefined ? [] : await knownBrowserHashes(reader, accountId, deps.clock());
  return [
    [
      "codes-signed-out",
      [...typed.flatMap((hash) => typedCaps(limits, hash)), ...numberCaps(deps, "open", to)],
    ],
    ["codes-after-password", numberCaps(deps, "known", to)],
    ["codes-in-known-browser", hashes.flatMap((hash) => browserCaps(limits, customerId, hash))],
    ["notices-of-changes", [noticeCap(deps, "sms", "change", to.phone)]],
    ["notices-of-locks", [noticeCap(deps, "sms", "lock", to.phone)]],
    ["mail-notices-of-changes", [noticeCap(deps, "mail", "change", customerId)]],
    ["mail-notices-of-locks", [noticeCap(deps, "mail", "lock", customerId)]],
  ];
}

/** Keyed hashes of all details with which a signed-out visitor can ask for a code for this customer. */
export async function claimableDetails(
  reader: Reader,
  { keyring }: Pick<SupportDependencies, "keyring">,
  { customerId, accountId }: CustomerIds,
): Promise<readonly string[]> {
  const row = await reader
    .selectFrom("customers")
    .select(["id", "pid_sealed"])
    .where("id", "=", customerId)
    .executeTakeFirstOrThrow();
  const pid = openPid(keyring, row);
  const policies = await reader
    .selectFrom("policies")
    .select("policy_no as policyNo")
    .where("customer_id", "=", customerId)
    .orderBy("policy_no")
    .execute();
  const accounts = await reader
    .selectFrom("accounts")
    .select("username")
    .where("id", "=", accountId ?? "")
    .execute();
  const claims = policies.map(({ policyNo }) => ({ policyNo, pid }));
  return [
    ...accounts.map(({ username }) => typedUsername(keyring, username)),
    ...claims.map(({ policyNo }) => typedPolicy(keyring, policyNo)),
    ...claims.map((claim) => typedHolder(keyring, claim)),
  ];
}

async function stoppedCodes(
  reader: Reader,
  { clock }: SupportDependencies,
  { customerId, accountId }: CustomerIds,
): Promise<readonly CountedCap[]> {
  const now = clock();
  const hashes = accountId === undefined ? [] : await knownBrowserHashes(reader, accountId, now);
  // A registration's codes are kept under the customer, all others under the account.
  const owners = [customerId, ...(accountId === undefined ? [] : [accountId])];
  const subjects = owners.flatMap((subject) =>
    PURPOSES.flatMap((purpose) =>
      [undefined, ...hashes].map((hash) => codeSubject({ subject, purpose }, hash)),
    ),
  );
  const kept = await attemptsOf(reader, subjects);
  const blocked = [...kept].filter(([, { blocked_until }]) => blocked_until > now);
  if (blocked.length === 0) return [];
  const usedUpUntil = Math.max(...blocked.map(([, { blocked_until }]) => blocked_until));
  const stopped = blocked.map(([subject]) => subject);
  return [{ of: "codes-after-wrong-codes", usedUpUntil, buckets: [], subjects: stopped }];
}

/**
 * Lets a customer get messages again: sets their caps to zero, and lifts the stop after too many wrong codes. A blocked
 * code needs nothing, because the next one replaces it. Returns the caps that were reset.
 */
export function resetCaps(
  deps: SupportDependencies,
  source: StaffSource,
  customer: CustomerIds,
): Promise<readonly CountedCap[]> {
  const { customerId, accountId } = customer;
  return deps.store.write(async (tx) => {
    if (accountId === undefined) await lockCustomer(tx, customerId);
    else await lockState(tx, accountId);
    const counted = await countedCaps(tx, deps, customer);
    for (const { subjects, buckets } of counted) {
      for (const subject of subjects) await forgetAttempts(tx, subject);
      for (const bucket of buckets) await tx.deleteFrom("windows").where("bucket", "=", bucket).execute();
    }
    if (counted.length > 0)
      await audit(tx, source, deps.clock(), { event: "caps-reset", ...subjectOf(customer) });
    return counted;
  });
}
