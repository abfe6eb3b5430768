import type { AuditEventName } from "~/backend/audit-event.server";
import type { Span } from "~/backend/services/audit/events-between.server";
import type { StoredEvent } from "~/backend/services/audit/event-hash.server";
import { MINUTE } from "~/platform/time.server";

/** Why a customer got no further. */
export const CAUSES = ["locked", "barred", "code held back", "code blocked", "code lost"] as const;
type Cause = (typeof CAUSES)[number];

const REFUSALS: Readonly<Partial<Record<string, Cause>>> = {
  "sign-in-blocked": "locked",
  "sign-in-locked": "locked",
  "sign-in-refused-by-state": "barred",
  "code-not-sent": "code held back",
  "code-blocked": "code blocked",
} satisfies Partial<Record<AuditEventName, Cause>>;

/** Events that change what an account is, has or can do. */
const CHANGES: ReadonlySet<string> = new Set<AuditEventName>([
  ...(["account-registered", "password-changed", "password-reset", "username-changed"] as const),
  ...(["details-changed", "new-phone-stopped", "document-password-set", "device-trusted"] as const),
  ...(["factor-added", "factor-removed", "factors-reset", "recovery-code-used"] as const),
  ...(["recovery-code-new", "sms-at-sign-in", "account-disabled", "account-enabled"] as const),
  ...(["account-expired", "policy-moved", "policy-removed", "document-removed"] as const),
]);
const READS: ReadonlySet<string> = new Set<AuditEventName>([
  "document-downloaded",
  "document-password-opened",
]);
const OPERATIONS: ReadonlySet<string> = new Set<AuditEventName>([
  ...(["maintenance-begun", "maintenance-ended", "announcement-made", "announcement-ended"] as const),
  ...(["database-restored", "import-begun", "policyholders-imported"] as const),
]);

/** An act of an operator on the portal as a whole. */
export interface Operation {
  readonly at: Date;
  readonly event: string;
  readonly operator: string | null;
}

const CUSTOMER_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The events of a time, counted one at a time. It keeps who they are about, once, and the minutes with sign-ins. */
export class EventsOfIncident {
  count = 0;
  unsealed = 0;
  signIns = 0;
  readonly span: Span;
  readonly operations: Operation[] = [];
  /** Customers by what refused them. */
  readonly refused = new Map<Cause, Set<string>>(CAUSES.map((cause) => [cause, new Set<string>()]));
  readonly touched = new Set<string>();
  readonly changed = new Set<string>();
  readonly read = new Set<string>();
  readonly byStaff = new Set<string>();
  readonly #sealedThrough: number;
  readonly #minutes = new Set<number>();
  readonly #refusedAt = new Map<string, number>();
  readonly #passwordAt = new Map<string, number>();
  readonly #signedInAt = new Map<string, number>();

  /** @param sealedThrough the number of the last sealed event */
  constructor(span: Span, sealedThrough: number) {
    this.span = span;
    this.#sealedThrough = sealedThrough;
  }

  add(event: StoredEvent): void {
    const { happened_at: at, account_id, subject, operator } = event;
    this.count += 1;
    if (event.seq > this.#sealedThrough) this.unsealed += 1;
    if (OPERATIONS.has(event.event)) this.operations.push({ at: new Date(at), event: event.event, operator });
    if (event.event === "signed-in") this.#addSignIn(at);
    const isCustomer = subject !== null && CUSTOMER_ID.test(subject);
    const person = account_id ?? (isCustomer ? subject : undefined);
    if (person !== undefined) this.#addPerson(person, event);
  }

  /** Adds a customer whose code was lost on its way. */
  addLostCode(person: string, at: number): void {
    this.#refuse(person, "code lost", at);
  }

  #addSignIn(at: number): void {
    this.signIns += 1;
    this.#minutes.add(Math.floor((at - this.span.since) / MINUTE));
  }

  #addPerson(person: string, { event, happened_at: at, operator, purpose }: StoredEvent): void {
    if (operator !== null) this.byStaff.add(person);
    else this.touched.add(person);
    if (CHANGES.has(event)) this.changed.add(person);
    if (READS.has(event)) this.read.add(person);
    if (event === "password-right") keepLatest(this.#passwordAt, person, at);
    if (event === "signed-in") keepLatest(this.#signedInAt, person, at);
    const cause = event === "message-refused" && purpose !== null ? "code lost" : REFUSALS[event];
    if (cause) this.#refuse(person, cause, at);
  }

  #refuse(person: string, cause: Cause, at: number): void {
    this.refused.get(cause)?.add(person);
    keepLatest(this.#refusedAt, person, at);
  }

  /** Customers who were refused, each once. */
  get refusedCustomers(): number {
    return this.#refusedAt.size;
  }

  /** Those of them who had not signed in by the end. */
  get refusedForGood(): number {
    return this.#without(this.#refusedAt);
  }

  /** Accounts with a right password, and no sign-in after it by the end. */
  get halfSignedIn(): number {
    return this.#without(this.#passwordAt);
  }

  #without(since: ReadonlyMap<string, number>): number {
    return [...since].filter(([person, at]) => (this.#signedInAt.get(person) ?? -1) < at).length;
  }

  /** Begun minutes of the time. */
  get minutes(): number {
    return Math.ceil((this.span.until - this.span.since) / MINUTE);
  }

  /** Minutes without a sign-in. */
  get minutesWithoutSignIn(): number {
    return this.minutes - this.#minutes.size;
  }

  /** The longest run of such minutes; undefined if there is none. */
  get longestPause(): Span | undefined {
    let longest = { first: 0, length: 0 };
    let last = -1;
    for (const minute of [...[...this.#minutes].sort((one, other) => one - other), this.minutes]) {
      const length = minute - last - 1;
      if (length > longest.length) longest = { first: last + 1, length };
      last = minute;
    }
    const since = this.span.since + longest.first * MINUTE;
    const until = Math.min(since + longest.length * MINUTE, this.span.until);
    return longest.length > 0 ? { since, until } : undefined;
  }
}

function keepLatest(times: Map<string, number>, person: string, at: number): void {
  times.set(person, Math.max(times.get(person) ?? 0, at));
}
