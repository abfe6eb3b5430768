import { LINK, moment, OWN_ID, type Part, plain, sealed, without, words } from "./person-tables.server";

const ONE_WAY = "a one-way hash, to look for it or to compare it";
const untilChanged = () => "until the insurer changes or deletes it, or the person's data is erased";

const customers: Part<"customers"> = {
  as: "customer",
  about: "The policyholder, as the insurer's systems know them.",
  kept: untilChanged,
  columns: {
    id: plain("id"),
    kind: plain("kind"),
    name_sealed: sealed("name"),
    representative_sealed: sealed("representative"),
    phone_sealed: sealed("phone"),
    pid_sealed: sealed("personalIdentifier"),
    pid_index: without(ONE_WAY),
    pid_compared_index: without(ONE_WAY),
    email_sealed: sealed("email"),
  },
};

const policies: Part<"policies"> = {
  as: "policies",
  about: "The policies that the portal shows.",
  kept: untilChanged,
  columns: {
    policy_no: plain("policyNumber"),
    policy_no_compared: without("the number again, without spaces and hyphens"),
    customer_id: without(LINK),
    name: plain("name"),
    valid_from: plain("validFrom"),
    valid_to: plain("validTo"),
    id: plain("addressOfItsPage"),
    product: plain("product"),
  },
};

const documents: Part<"documents"> = {
  as: "documents",
  about: "The documents of the policies. Each is in the folder documents, as a PDF named by its id.",
  kept: untilChanged,
  columns: {
    id: plain("id"),
    policy_no: plain("policyNumber"),
    kind: plain("kind"),
    name: plain("name"),
    issued_on: plain("issuedOn"),
    bytes: plain("bytes"),
    content_mac: without(ONE_WAY),
    key_version: without("a key's number"),
    wrapped_key: without("an encryption key"),
  },
};

const codes: Part<"codes"> = {
  as: "oneTimeCodes",
  about: "The last codes that were asked for with the person's details.",
  kept: () => "a day after they expire; used ones a few seconds",
  columns: {
    browser_hash: without(ONE_WAY),
    subject: without(LINK),
    purpose: plain("purpose"),
    id: without(OWN_ID),
    code_mac: without("a code can't be read, and opens the account while it is valid"),
    key_version: without("a key's number"),
    state: plain("state"),
    sent_at: moment("askedForAt"),
    resent_at: moment("askedForAgainAt"),
    ends_at: moment("expiresAt"),
    tries: plain("wrongTries"),
    refusals: plain("refusals"),
    used_at: moment("usedAt"),
    payload_mac: without(ONE_WAY),
  },
};

const attempts: Part<"attempts"> = {
  as: "wrongTriesAndLocks",
  about: "How many passwords or codes were wrong, and until when that locks something.",
  kept: ({ LOCK_FORGOTTEN_SECONDS }) =>
    `${LOCK_FORGOTTEN_SECONDS / 3600} hours from the last try, at least a day, and until the lock ends`,
  columns: {
    subject: words("of"),
    tries: plain("wrongTries"),
    run: without("how often counting has started over"),
    level: plain("locksSoFar"),
    blocked_until: moment("lockedUntil"),
    started_at: moment("firstTryAt"),
    last_at: moment("lastTryAt"),
  },
};

const windows: Part<"windows"> = {
  as: "countsOfRequests",
  about: "How often something was asked for with the person's details, against abuse.",
  kept: () => "until the count ends: 10 minutes, an hour or a day",
  columns: { bucket: words("of"), count: plain("count"), ends_at: moment("endsAt") },
};

const CODES_INSIDE = "it may hold a one-time code, which opens the account while it is valid";

const smsQueue: Part<"sms_queue"> = {
  as: "waitingMessages",
  about: "Text messages to the person's number that are not delivered yet.",
  kept: () => "until they are delivered; a code at most until it expires, a notice for a day",
  columns: {
    id: without(OWN_ID),
    recipient_sealed: sealed("to"),
    text_sealed: without(CODES_INSIDE),
    purpose: plain("purpose"),
    request_id: plain("requestId"),
    tries: plain("attemptsToDeliver"),
    due_at: moment("nextAttemptAt"),
    sent_at: moment("writtenAt"),
    ends_at: moment("tooLateAt"),
  },
};

const outbox: Part<"outbox"> = {
  as: "demoMessages",
  about: "Messages to the person's number that a demo shows instead of sending them.",
  kept: () => "a day",
  columns: {
    id: without(OWN_ID),
    recipient_sealed: sealed("to"),
    text_sealed: without(CODES_INSIDE),
    sent_at: moment("writtenAt"),
  },
};

const auditEvents: Part<"audit_events"> = {
  as: "activity",
  about: "What happened to the account and with the person's details, when, and from which address.",
  kept: () => "for as long as the operator keeps the audit",
  columns: {
    seq: without("a place in the order"),
    id: plain("id"),
    happened_at: moment("at"),
    event: plain("event"),
    account_id: without(LINK),
    subject: without(LINK),
    purpose: plain("purpose"),
    address: plain("address"),
    request_id: plain("requestId"),
    device_name: plain("deviceName"),
    operator: without("the name of another person, who acted for the insurer"),
    reason: plain("reasonOfTheStaff"),
    erased_hash: without("erased events are no one's"),
  },
};

/** The parts that every policyholder has; documents without their content, which goes to files. */
export const CUSTOMER_PARTS = {
  customers,
  policies,
  documents,
  codes,
  attempts,
  windows,
  sms_queue: smsQueue,
  outbox,
  audit_events: auditEvents,
};
