import { type Purpose, PURPOSES } from "~/contract/purposes";
import { counter } from "~/platform/telemetry/metrics.server";
import { SIGN_IN_WAYS } from "~/contract/customer-area.server";
import { tokenHash } from "../secrets/keyring.server";
import { orderedId, type Tx } from "../store/store.server";

/** An event that people may ask about later (S92). */
export interface AuditEvent<Name extends AuditEventName = AuditEventName> {
  readonly event: Name;
  readonly accountId?: string | undefined;
  /** Without an account: a customer id, or a keyed hash of the details entered. With one, the browser is its subject. */
  readonly subject?: string | undefined;
  readonly purpose?: Purpose | undefined;
  /** Details in words, if an operator's reason doesn't give them: the changes of an import, why a gateway refused. */
  readonly reason?: string | undefined;
}

/** The events of acts that only the insurer's staff can do (S97). */
const STAFF_EVENTS = [
  "account-shown",
  "customer-found",
  "customer-sought",
  "account-unlocked",
  "account-disabled",
  "account-enabled",
  "account-expired",
  "caps-reset",
  "factors-reset",
  "new-phone-used",
  "import-begun",
  "policyholders-imported",
  "details-changed",
  "policy-shown",
  "policy-removed",
  "policy-restored",
  "policy-moved",
  "document-removed",
  "document-restored",
  "document-let-in",
  "data-exported",
  "data-erased",
  "audit-shown",
  "database-restored",
  "announcement-made",
  "announcement-ended",
  "maintenance-begun",
  "maintenance-ended",
  // By staff of the help desk: about themselves, and about acts that wait for a second person.
  "staff-signed-on",
  "staff-refused",
  "act-asked",
  "act-declined",
] as const;

/** Also the names in the log and in `audit_events`. */
export const AUDIT_EVENTS = [
  "password-right",
  "password-wrong",
  "sign-in-blocked",
  "sign-in-locked",
  "sign-in-refused-by-state",
  "passkey-wrong",
  "signed-in",
  "signed-out",
  "code-sent",
  "code-not-sent",
  "code-for-nobody",
  // The gateway will never send it.
  "message-refused",
  "code-right",
  "code-wrong",
  "code-blocked",
  "device-trusted",
  "devices-forgotten",
  "device-replayed",
  "sessions-ended",
  "account-registered",
  "password-changed",
  "password-reset",
  "username-changed",
  "username-reminded",
  "new-phone-stopped",
  "document-password-set",
  "document-password-opened",
  "document-downloaded",
  "factor-added",
  "factor-removed",
  "recovery-code-used",
  "recovery-code-new",
  "sms-at-sign-in",
  "factor-guessed",
  ...STAFF_EVENTS,
] as const;

/** The name of an event. */
export type AuditEventName = (typeof AUDIT_EVENTS)[number];
/** The name of an event that needs no member of staff. */
export type PlainEventName = Exclude<AuditEventName, (typeof STAFF_EVENTS)[number]>;

/** `code-needed`: the password was right; `signed-in` follows with the code. */
const SIGN_IN_RESULTS = [
  "signed-in",
  "code-needed",
  "wrong",
  "blocked",
  "refused-by-state",
  "rate-limited",
] as const;
/** `blocked`: wrong, and the last try; `rate-limited`: not checked, because the address had too many. */
const CODE_RESULTS = ["right", "wrong", "blocked", "rate-limited"] as const;

const signIns = counter(
  { name: "portal_sign_ins_total", help: "Sign-ins by result" },
  { result: SIGN_IN_RESULTS },
);
const signedIn = counter(
  { name: "portal_signed_in_total", help: "Sessions that became active, by what confirmed the sign-in" },
  { way: SIGN_IN_WAYS },
);
const codesSent = counter(
  { name: "portal_codes_sent_total", help: "One-time codes handed over for sending, by purpose" },
  { purpose: PURPOSES },
);
/** Held back by a cap or an unreachable number. */
const codesNotSent = counter(
  { name: "portal_codes_not_sent_total", help: "One-time codes held back, by purpose" },
  { purpose: PURPOSES },
);
const codesChecked = counter(
  { name: "portal_codes_checked_total", help: "One-time codes that were typed, by purpose and result" },
  { purpose: PURPOSES, result: CODE_RESULTS },
);

const SIGN_INS: Partial<Record<AuditEventName, (typeof SIGN_IN_RESULTS)[number]>> = {
  "signed-in": "signed-in",
  "password-right": "code-needed",
  "password-wrong": "wrong",
  "passkey-wrong": "wrong",
  "sign-in-blocked": "blocked",
  "sign-in-refused-by-state": "refused-by-state",
};
const CHECKED_CODES: Partial<Record<AuditEventName, (typeof CODE_RESULTS)[number]>> = {
  "code-right": "right",
  "code-wrong": "wrong",
  "code-blocked": "blocked",
};

/** Counts an audit event if alarms watch it (S16, S27). */
export function countEvent({ event, purpose, reason }: AuditEvent): void {
  const signIn = SIGN_INS[event];
  if (signIn) signIns.inc({ result: signIn });
  const way = event === "signed-in" && SIGN_IN_WAYS.find((known) => known === reason);
  if (way) signedIn.inc({ way });
  if (!purpose) return;
  const checked = CHECKED_CODES[event];
  if (checked) codesChecked.inc({ purpose, result: checked });
  if (event === "code-sent") codesSent.inc({ purpose });
  if (event === "code-not-sent") codesNotSent.inc({ purpose });
}

/** Counts a sign-in that was stopped by an address's cap. It leaves no audit event. */
export function countRateLimitedSignIn(): void {
  signIns.inc({ result: "rate-limited" });
}

/** Counts a typed code that was stopped by an address's cap (S110). It leaves no audit event either. */
export function countRateLimitedConfirm(purpose: Purpose): void {
  codesChecked.inc({ purpose, result: "rate-limited" });
}

/** The caller, read once from each request. */
export interface Caller {
  /** The client's address, as the front door verified it. */
  readonly address: string;
  readonly requestId: string;
  /** The name of the caller's device, such as "Firefox 128, Windows"; empty if it isn't known. */
  readonly deviceName: string;
  /** The Host of the request, as the front door verified it; undefined if there is none. */
  readonly host?: string | undefined;
  /** When the head of the request arrived, on the stopwatch. Waiting time counts from then (S114). */
  readonly arrivedAt: number;
  /** The browser's token; a new one if the request had none. */
  readonly browser: string;
  readonly session: string | undefined;
  /** The tokens of trusted devices, each under its cookie's name. */
  readonly deviceTokens: Readonly<Record<string, string | undefined>>;
  /** Makes a signal that is aborted when the client has left; undefined if that can't be known. */
  readonly left: (() => AbortSignal) | undefined;
  /** Events written to the audit during this request; logged at its end. */
  readonly audited: AuditEvent[];
}

/** The origin of an event: a customer's request, or an operator's command. */
export interface AuditSource extends Pick<Caller, "address" | "requestId" | "deviceName" | "audited"> {
  /** The token of a customer's browser. */
  readonly browser?: string;
  /** The member of the insurer's staff who did it, and the reason (S97). */
  readonly act?: { readonly operator: string; readonly reason: string };
}

/** The origin of an act of the insurer's staff: the member of staff, with a reason. */
export type StaffSource = AuditSource & Required<Pick<AuditSource, "act">>;

/**
 * Writes an event in the transaction of its change: both are committed or neither. An event of staff needs the person
 * who acted.
 */
export async function audit(
  tx: Tx,
  source: AuditSource,
  now: number,
  happened: AuditEvent<PlainEventName>,
): Promise<void>;
export async function audit(tx: Tx, source: StaffSource, now: number, happened: AuditEvent): Promise<void>;
export async function audit(tx: Tx, source: AuditSource, now: number, happened: AuditEvent): Promise<void> {
  const event = {
    id: orderedId(now),
    happened_at: now,
    event: happened.event,
    account_id: happened.accountId ?? null,
    subject: subjectOf(source, happened),
    purpose: happened.purpose ?? null,
    address: source.address,
    request_id: source.requestId,
    device_name: source.deviceName,
    operator: source.act?.operator ?? null,
    reason: happened.reason ?? source.act?.reason ?? null,
  };
  await tx.insertInto("audit_events").values(event).execute();
  tx.afterCommit(() => source.audited.push(happened));
}

/** With an account: the browser that did it, so that news can leave out what their reader's own browser did. */
function subjectOf({ browser }: AuditSource, { accountId, subject }: AuditEvent): string | null {
  if (subject !== undefined || accountId === undefined || browser === undefined) return subject ?? null;
  return tokenHash(browser);
}
