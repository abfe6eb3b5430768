import { sql } from "kysely";
import { lastSeal } from "~/backend/services/audit/seal-events.server";
import { readEventsBetween, type Span } from "~/backend/services/audit/events-between.server";
import type { Reader } from "~/backend/store/store.server";
import type { MessageState } from "~/backend/store/message-kinds.server";
import type { Limits } from "~/platform/config/limits";
import { DAY, MINUTE, SECOND } from "~/platform/time.server";
import { UsageError } from "../kit/command.server";
import { CAUSES, EventsOfIncident, type Operation } from "./incident-events.server";
import { accountsBefore, unknownEvents, unknownMessages } from "./known-times.server";

/** A figure of an incident, and how it was counted. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly how: string;
}

/** A pause without any sign-in; times in ISO 8601. */
interface Pause {
  readonly from: Date;
  readonly to: Date;
  readonly minutes: number;
}

/** An incident in figures: none of them names a customer. */
export interface Incident {
  readonly from: Date;
  readonly to: Date;
  readonly figures: readonly Figure[];
  readonly longestPause: Pause | undefined;
  /** Operators' acts on all customers meanwhile, the oldest first. */
  readonly operations: readonly Operation[];
  /** How far seals vouch for these figures. */
  readonly audit: {
    readonly events: number;
    /** They have no seal yet: `portal seal-audit`, then count again. */
    readonly unsealed: number;
    readonly lastSeal: number | undefined;
  };
  /** Sentences about missing knowledge. */
  readonly notKnown: readonly string[];
  /** Whether something is missing that should be there. */
  readonly isIncomplete: boolean;
}

interface Counting {
  readonly db: Reader;
  /** The folder of the audit's archives. */
  readonly folder: string;
  readonly limits: Pick<Limits, "MESSAGE_DAYS">;
  /** ms */
  readonly now: number;
}

const WEEK = 7 * DAY;

/**
 * Counts an incident, and the same hours a week before for comparison. Reads events one at a time; keeps the ids of the
 * customers among them, and the minutes with sign-ins.
 * @throws UsageError if it has not begun
 */
export async function incidentOf(counting: Counting, span: Span): Promise<Incident> {
  const { db, folder, now } = counting;
  if (span.since >= now) throw new UsageError("--from: expected a time in the past");
  const past = { since: span.since, until: Math.min(span.until, now) };
  const seal = await lastSeal(db);
  const sealedThrough = seal?.through_seq ?? -1;
  const [events, before] = [0, WEEK].map(
    (ago) => new EventsOfIncident({ since: past.since - ago, until: past.until - ago }, sealedThrough),
  ) as [EventsOfIncident, EventsOfIncident];
  const unreadable = await readInto(events, db, folder);
  const unreadableBefore = await readInto(before, db, folder);
  await addLostCodes(db, events);
  return {
    from: new Date(span.since),
    to: new Date(span.until),
    figures: [
      ...refusedFigures(events),
      ...signInFigures(events, before),
      ...(await messageFigures(db, past)),
      ...accountFigures(events, await accountsBefore(db, past.until)),
    ],
    longestPause: pauseOf(events),
    operations: events.operations.sort((one, other) => one.at.getTime() - other.at.getTime()),
    audit: { events: events.count, unsealed: events.unsealed, lastSeal: seal?.no },
    notKnown: [
      ...(await unknownEvents(db, span, { now, unreadable })),
      ...unknownMessages(span, counting),
      ...((await unknownEvents(db, before.span, { now, unreadable: unreadableBefore })).length > 0
        ? ["The week before is not known whole, so its figures may be too small."]
        : []),
      ...ALWAYS_UNKNOWN,
    ],
    isIncomplete: unreadable.length > 0,
  };
}

const ALWAYS_UNKNOWN = [
  "Requests that found the portal or its database down leave no event: the proxy's log and portal_http_requests_total have them.",
  "Events of people who were erased since carry no name, so they are missing where customers or accounts are counted.",
];

function readInto(events: EventsOfIncident, db: Reader, folder: string) {
  return readEventsBetween(db, folder, events.span, (event) => {
    events.add(event);
  });
}

function pauseOf({ longestPause: pause }: EventsOfIncident): Pause | undefined {
  if (!pause) return undefined;
  const minutes = Math.round((pause.until - pause.since) / MINUTE);
  return { from: new Date(pause.since), to: new Date(pause.until), minutes };
}

/** A code that no gateway took in time leaves no event. */
async function addLostCodes(db: Reader, events: EventsOfIncident): Promise<void> {
  const lost = await writtenIn(db, events.span)
    .leftJoin("accounts", "accounts.customer_id", "messages.customer_id")
    .select(["messages.customer_id", "accounts.id as account_id", "written_at"])
    .where("messages.state", "=", "given-up")
    .where("purpose", "not in", ["notice", "mail-notice"])
    .execute();
  for (const { customer_id, account_id, written_at } of lost)
    events.addLostCode(account_id ?? customer_id ?? "", written_at);
}

/** The messages to customers that were written in a time. */
function writtenIn(db: Reader, { since, until }: Span) {
  return db
    .selectFrom("messages")
    .where("messages.customer_id", "is not", null)
    .where("written_at", ">=", since)
    .where("written_at", "<", until);
}

const HOW_REFUSED: Readonly<Record<(typeof CAUSES)[number], string>> = {
  locked: "sign-in-blocked and sign-in-locked in the audit: the time lock after wrong passwords",
  barred: "sign-in-refused-by-state in the audit: locked by a person, disabled or expired",
  "code held back": "code-not-sent in the audit: a cap, or a number without SMS",
  "code blocked": "code-blocked in the audit: too many wrong tries",
  "code lost": "message-refused of a code in the audit, and codes in messages that no gateway took in time",
};

function refusedFigures(events: EventsOfIncident): readonly Figure[] {
  return [
    {
      name: "customers refused",
      value: events.refusedCustomers,
      how: "each customer once, by any of the causes below; a customer is an account, or a policyholder without one. Unknown usernames and details aren't counted.",
    },
    ...CAUSES.map((cause) => ({
      name: `customers refused: ${cause}`,
      value: events.refused.get(cause)?.size ?? 0,
      how: HOW_REFUSED[cause],
    })),
    {
      name: "customers refused until the end",
      value: events.refusedForGood,
      how: "of the customers refused, those without signed-in after their last refusal in the time asked for",
    },
    {
      name: "right passwords without a sign-in",
      value: events.halfSignedIn,
      how: "accounts with password-right, and no signed-in after it in the time asked for",
    },
  ];
}

function signInFigures(events: EventsOfIncident, before: EventsOfIncident): readonly Figure[] {
  const how = "minutes, counted from the beginning, in which the audit has no signed-in of anybody";
  return [
    { name: "minutes", value: events.minutes, how: "begun minutes of the time asked for, until now at most" },
    { name: "minutes without a sign-in", value: events.minutesWithoutSignIn, how },
    {
      name: "minutes without a sign-in, a week before",
      value: before.minutesWithoutSignIn,
      how: "the same, exactly 7 days earlier, for comparison: at night there are always some",
    },
    { name: "sign-ins", value: events.signIns, how: "signed-in in the audit" },
    { name: "sign-ins, a week before", value: before.signIns, how: "the same, exactly 7 days earlier" },
  ];
}

/** Later than that, customers have asked for another code. */
const LATE_MS = MINUTE;

const HOW_MESSAGES: Readonly<Record<MessageState, string>> = {
  accepted: "a gateway or the mail server took it; whether it arrived isn't kept",
  refused: "the gateway or the mail server will never send it",
  "given-up": "none took it before its code expired, or the notice was too old",
  waiting: "none has taken it yet",
};

async function messageFigures(db: Reader, span: Span): Promise<readonly Figure[]> {
  const states = await writtenIn(db, span)
    .select(({ fn }) => ["state", fn.countAll().as("count")])
    .groupBy("state")
    .execute();
  const late = await writtenIn(db, span)
    .select(({ fn }) => fn.countAll().as("count"))
    .where("state", "=", "accepted")
    .where(sql<number>`changed_at - written_at`, ">", LATE_MS)
    .executeTakeFirstOrThrow();
  const counts = new Map(states.map(({ state, count }) => [state, Number(count)]));
  const of = (state: MessageState) => counts.get(state) ?? 0;
  const written = "SMS and e-mails to customers written in the time asked for, by their state now";
  return [
    {
      name: "messages lost",
      value: of("refused") + of("given-up"),
      how: `${written}: refused and given up`,
    },
    ...(Object.keys(HOW_MESSAGES) as MessageState[]).map((state) => ({
      name: `messages: ${state}`,
      value: of(state),
      how: `${written}: ${HOW_MESSAGES[state]}`,
    })),
    {
      name: "messages late",
      value: Number(late.count),
      how: `of those taken, the ones that waited for more than ${LATE_MS / SECOND} seconds`,
    },
  ];
}

function accountFigures(events: EventsOfIncident, accounts: number): readonly Figure[] {
  return [
    { name: "accounts", value: accounts, how: "registered by the end, without those that were erased since" },
    {
      name: "accounts touched",
      value: events.touched.size,
      how: "accounts, and policyholders without one, with any event that no operator caused, once each",
    },
    {
      name: "accounts changed",
      value: events.changed.size,
      how: "with a new password, username, phone, factor, device, state, policy or document, by whomever",
    },
    {
      name: "accounts whose documents were read",
      value: events.read.size,
      how: "with document-downloaded or document-password-opened in the audit",
    },
    {
      name: "accounts touched by staff",
      value: events.byStaff.size,
      how: "with an event that has an operator: looked at, changed, exported or imported",
    },
  ];
}
