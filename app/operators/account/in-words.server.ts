import { zonedTimeInPoland as at } from "~/platform/time.server";
import type { AccountState, CustomerKind } from "~/backend/store/column-values.server";
import type {
  EndedAccess,
  ForgottenDevices,
  LockedOut,
  Policyholder,
  RemovedFactors,
  ResetFactors,
  StateChange,
  SupportAct,
} from "../support/account-state.server";
import type { CappedThing, CountedCap } from "../support/customer-caps.server";
import type { Unlocked } from "../support/sign-in-locks.server";
import { counted, UsageError } from "../kit/command.server";
import type { Premium } from "~/contract/premium.server";
import type { ShownMessage } from "../support/last-messages.server";
import type { AccountOverview } from "../support/overview.server";
import { newPhoneInWords } from "./new-phone-in-words.server";
import type { ShownEvent } from "../support/shown-events.server";

// The report of each command: facts for JSON, lines for people.

type Changed = Extract<StateChange, { readonly kind: "changed" }>;
type Unchanged = Extract<StateChange, { readonly kind: "unchanged" }>;
type OnAccount = Pick<SupportAct, "accountId">;

/** The kinds of messages that are capped for each customer, in words. */
export const THINGS: Readonly<Record<CappedThing, string>> = {
  "codes-signed-out": "codes asked for signed out",
  "codes-after-password": "codes after a right password",
  "codes-in-known-browser": "codes in a known browser",
  "notices-of-changes": "SMS notices of changes",
  "notices-of-locks": "SMS notices of locks",
  "mail-notices-of-changes": "e-mail notices of changes",
  "mail-notices-of-locks": "e-mail notices of locks",
  "codes-after-wrong-codes": "new codes after too many wrong ones",
};

/** `account unlock`. */
export function tellUnlocked({ accountId }: OnAccount, unlocked: Unlocked) {
  const { timedLocks, factorStops, isStateLifted, state } = unlocked;
  const changed = timedLocks + factorStops > 0 || isStateLifted;
  const lifted = [
    ...(isStateLifted ? ["the lock set by a person"] : []),
    ...(timedLocks > 0 ? [counted(timedLocks, "timed lock")] : []),
    ...(factorStops > 0 ? [counted(factorStops, "stop of second factors", "stops of second factors")] : []),
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

/** `account enable`. @throws UsageError if a person has locked the account */
export function tellEnabled(act: OnAccount, change: StateChange) {
  if (change.kind === "locked-by-a-person")
    throw new UsageError("this account is locked, not disabled or expired: use account unlock");
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
  const words = forgottenInWords(forgotten);
  const changed = words !== "";
  return {
    facts: { account: accountId, changed, forgotten },
    lines: [`Account ${accountId}: ${changed ? `forgot ${words}` : "no devices were trusted or known"}.`],
  };
}

/** `account lock-out`. @param withFactors whether the second factors were to go, too */
export function tellLockedOut({ accountId }: OnAccount, out: LockedOut, withFactors: boolean) {
  const { ended, forgotten, factors, passkeysLeft } = out;
  const done = [
    ...(factors ? [`removed ${removedInWords(factors)}`] : []),
    ...(hasEnded(ended) ? [`ended ${endedInWords(ended)}`] : []),
    ...(forgottenInWords(forgotten) === "" ? [] : [`forgot ${forgottenInWords(forgotten)}`]),
  ];
  const changed = done.length > 0;
  return {
    facts: {
      account: accountId,
      changed,
      ended,
      forgotten,
      ...(withFactors && { factors: factors ?? null }),
      passkeysLeft,
    },
    lines: [
      `Account ${accountId}: ${changed ? done.join("; ") : "nothing was open, trusted or known"}.`,
      ...(withFactors && !factors ? ["It has no second factors: a code by SMS confirms its sign-ins."] : []),
      ...(passkeysLeft > 0
        ? [
            "A passkey still signs in, also one on a lost phone that somebody can unlock: --reset-factors removes it.",
          ]
        : []),
      "The next sign-in takes the password and a code. If somebody else may know the password: account disable.",
    ],
  };
}

/** `account reset-factors`. */
export function tellFactors({ accountId }: OnAccount, reset: ResetFactors | undefined) {
  if (!reset)
    return {
      facts: { account: accountId, changed: false },
      lines: [
        `Account ${accountId}: has no second factors; a code by SMS confirms its sign-ins.`,
        "A lost phone: account lock-out. No code arrives: account show says why.",
        "Another number: correct it in the insurer's system and import it, then account use-new-phone.",
      ],
    };
  const devices = inWords([[reset.trustedDevices, "trusted device"]]);
  const words = [removedInWords(reset), devices].filter((part) => part !== "").join(", ");
  const sms = reset.smsWasOff ? " Codes by SMS confirm sign-ins again." : "";
  return {
    facts: { account: accountId, changed: true, ...reset },
    lines: [
      `Account ${accountId}: removed ${words}.${sms}`,
      ...(hasEnded(reset.ended) ? [`Ended ${endedInWords(reset.ended)}.`] : []),
    ],
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

function removedInWords({ factors, recoveryCode }: RemovedFactors): string {
  return inWords([
    [factors, "second factor"],
    [recoveryCode ? 1 : 0, "recovery code"],
  ]);
}

/** Empty if nothing was forgotten. */
function forgottenInWords({ trustedDevices, knownBrowsers, signInPasses }: ForgottenDevices): string {
  return inWords([
    [trustedDevices, "trusted device"],
    [knownBrowsers, "known browser"],
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

const STATES: Readonly<Record<AccountState, string>> = {
  active: "active: the customer can sign in",
  locked: "locked by a person: `account unlock` lifts it",
  expired: "expired: the customer can't sign in until `account enable`",
  disabled: "disabled: the customer can't sign in until `account enable`",
};

/** The kinds of customers, in words. */
export const KINDS: Readonly<Record<CustomerKind, string>> = {
  individual: "a person with a PESEL",
  "no-id": "a person without a PESEL",
  company: "a company",
};

const PLACES: Readonly<Record<AccountOverview["tries"][number]["where"], string>> = {
  "unknown-browsers": "in browsers that the account doesn't know",
  "known-browser": "in a known browser",
  "trusted-device": "on a trusted device",
};

const WIDTH = 20;

/** An overview for a help desk: one fact per line, in Polish time. */
export function overviewInWords(shown: AccountOverview): readonly string[] {
  const { policies, documentPasswordSetAt, lastSignIn } = shown;
  return [
    line("Account", shown.account),
    line("Customer", KINDS[shown.customerKind]),
    line("State", STATES[shown.state]),
    ...list("Wrong passwords", shown.tries.map(triesInWords)),
    ...(shown.guesses.length > 0 ? list("Guessed codes", shown.guesses.map(guessesInWords)) : []),
    line("Username", shown.username),
    line("Phone", shown.phone),
    ...(shown.newPhone ? list("New phone", newPhoneInWords(shown.newPhone)) : []),
    line("Registered", at(shown.registeredAt)),
    line("Policies", `${policies.all}, ${policies.validToday} of them valid today`),
    ...premiumsInWords(shown),
    line("Document password", documentPasswordSetAt ? `set ${at(documentPasswordSetAt)}` : "none"),
    line("Last sign-in", lastSignIn ? `${at(lastSignIn.at)}, ${nameOf(lastSignIn)}` : "none lately"),
    ...list("Sessions", shown.sessions.map(sessionInWords)),
    ...list(
      "Trusted devices",
      shown.trustedDevices.map((device) => `${nameOf(device)}, until ${at(device.until)}`),
    ),
    ...list("Second factors", factorsInWords(shown.factors)),
    line("Known browsers", String(shown.knownBrowsers)),
    ...list(
      "Caps used up",
      shown.usedUpCaps.map(({ of, until }) => `${THINGS[of]}, until ${at(until)}`),
    ),
    ...list("Last messages", shown.messages.map(messageInWords)),
    ...list("Last events", shown.events.map(eventInWords)),
  ];
}

/** The premiums, if there are any. */
export function premiumsInWords({ premiums }: Pick<AccountOverview, "premiums">): readonly string[] {
  const lines = premiums.map(({ policyNo, premium }) => `${policyNo}: ${premiumInWords(premium)}`);
  return lines.length === 0 ? [] : list("Premiums", lines);
}

/** A premium, with all that a caller may ask about. */
function premiumInWords(premium: Premium): string {
  const { amount, currency, dueOn, paidUntil, account, title, asOf } = premium;
  return [
    `${amount} ${currency}`,
    dueOn === null ? "nothing due" : `due on ${dueOn}`,
    ...(paidUntil === null ? [] : [`paid until ${paidUntil}`]),
    ...(account === null ? [] : [`to ${account}`]),
    ...(title === null ? [] : [`title "${title}"`]),
    ...(asOf === undefined ? [] : [`as of ${asOf}`]),
  ].join(", ");
}

/** An event as one line of an overview. */
export function eventInWords({ at: when, event, deviceName, detail }: ShownEvent): string {
  const named = detail === undefined ? event : `${event} (${detail})`;
  return [`${at(when)}  ${named}`, ...(deviceName === "" ? [] : [deviceName])].join(", ");
}

const MESSAGES: Readonly<Record<ShownMessage["purpose"], string>> = {
  login: "code to sign in",
  register: "code to register",
  password: "code for a new password",
  usernameChange: "code for another username",
  usernameRemind: "code to be reminded of the username",
  documentPassword: "code for the document password",
  factors: "code to change second factors",
  notice: "SMS notice",
  "mail-notice": "e-mail notice",
};

/** A message and what became of it. */
export function messageInWords(message: ShownMessage): string {
  return `${MESSAGES[message.purpose]}, ${at(message.writtenAt)}: ${outcomeInWords(message)}`;
}

function outcomeInWords({ state, since, reason, gateway, progress }: ShownMessage): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  switch (state) {
    case "waiting":
      return `waits for the gateway${why}`;
    case "accepted": {
      const taker = gateway ?? "the demo's outbox";
      return `given to ${taker} ${at(since)}${progress === undefined ? "" : `, ${progress}`}`;
    }
    case "refused":
      return `refused by ${gateway ?? "the gateway"} ${at(since)}${why}`;
    case "given-up":
      return `not sent: no gateway took it in time${why}`;
    case "unknown":
      return "waits no more; what became of it is not known";
  }
}

function factorsInWords({ factors, recoveryCodeSetAt, smsAtSignIn }: AccountOverview["factors"]) {
  if (factors.length === 0) return [];
  return [
    ...factors.map(({ kind, addedAt, lastUsedAt, passkey }) =>
      [
        kind,
        `added ${at(addedAt)}`,
        lastUsedAt ? `last used ${at(lastUsedAt)}` : "not used yet",
        ...(passkey ? passkeyInWords(passkey) : []),
      ].join(", "),
    ),
    recoveryCodeSetAt ? `recovery code, set ${at(recoveryCodeSetAt)}` : "no recovery code",
    `SMS at sign-in: ${smsAtSignIn ? "on" : "off"}`,
  ];
}

type ShownPasskey = NonNullable<AccountOverview["factors"]["factors"][number]["passkey"]>;

function passkeyInWords({ signsIn, copied, maker }: ShownPasskey): readonly string[] {
  return [
    ...(maker === null ? [] : [maker]),
    ...(signsIn === null ? [] : [signsIn ? "signs in without a password" : "confirms only"]),
    ...(copied === null ? [] : [copied ? "copied to other devices" : "on one device"]),
  ];
}

function triesInWords({ where, deviceName, tries, lockedUntil }: AccountOverview["tries"][number]): string {
  const place = deviceName === undefined ? PLACES[where] : `${PLACES[where]} (${deviceName})`;
  const locked = lockedUntil ? `; locked until ${at(lockedUntil)}` : "";
  return `${counted(tries, "try", "tries")} ${place}${locked}`;
}

function guessesInWords({
  where,
  tries,
  inRow,
  stoppedUntil,
  untilConfirmed,
}: AccountOverview["guesses"][number]): string {
  const row = inRow === undefined ? "" : `, ${String(inRow)} in a row`;
  const stopped = stoppedUntil === undefined ? "" : `; none compared until ${at(stoppedUntil)}`;
  const closed = untilConfirmed
    ? "; none compared until a known browser, a passkey or `account unlock` confirms"
    : "";
  return `${counted(tries, "try", "tries")} ${PLACES[where]}${row}${closed || stopped}`;
}

function sessionInWords(session: AccountOverview["sessions"][number]): string {
  const state = session.state === "pending" ? "waits for a code" : "active";
  return `${nameOf(session)}, ${state}, since ${at(session.startedAt)}, last seen ${at(session.lastSeenAt)}`;
}

function nameOf({ deviceName }: { readonly deviceName: string }): string {
  return deviceName === "" ? "unknown device" : deviceName;
}

/** Facts under one name: "none" without any. */
export function list(name: string, facts: readonly string[]): readonly string[] {
  if (facts.length === 0) return [line(name, "none")];
  return facts.map((fact, index) => line(index === 0 ? name : "", fact));
}

/** A fact and its name, in columns. */
export function line(name: string, fact: string): string {
  return name.padEnd(WIDTH) + fact;
}
