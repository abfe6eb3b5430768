import { PURPOSES, type Purpose } from "~/contract/purposes";
import { counter } from "~/platform/telemetry/metrics.server";
import type { AuditEvent, AuditEventName } from "./audit-event.server";

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
  "sign-in-blocked": "blocked",
  "sign-in-refused-by-state": "refused-by-state",
};
const CHECKED_CODES: Partial<Record<AuditEventName, (typeof CODE_RESULTS)[number]>> = {
  "code-right": "right",
  "code-wrong": "wrong",
  "code-blocked": "blocked",
};

/** Counts an audit event if alarms watch it (S16, S27). */
export function countEvent({ event, purpose }: AuditEvent): void {
  const signIn = SIGN_INS[event];
  if (signIn) signIns.inc({ result: signIn });
  if (!purpose) return;
  const checked = CHECKED_CODES[event];
  if (checked) codesChecked.inc({ purpose, result: checked });
  if (event === "code-sent") codesSent.inc({ purpose });
  if (event === "code-not-sent") codesNotSent.inc({ purpose });
}

/** Counts a sign-in that an address's cap stopped. It leaves no audit event. */
export function countRateLimitedSignIn(): void {
  signIns.inc({ result: "rate-limited" });
}

/** Counts a typed code that an address's cap stopped (S110). It leaves no audit event either. */
export function countRateLimitedConfirm(purpose: Purpose): void {
  codesChecked.inc({ purpose, result: "rate-limited" });
}
