import type { CodeResult, SignInResult } from "~/platform/metric-labels";
import { metrics } from "~/platform/metrics.server";
import type { AuditEvent, AuditEventName } from "./audit-event.server";

const SIGN_INS: Partial<Record<AuditEventName, SignInResult>> = {
  "signed-in": "signed-in",
  "password-right": "code-needed",
  "password-wrong": "wrong",
  "sign-in-blocked": "blocked",
  "sign-in-refused-by-state": "refused-by-state",
};
const CHECKED_CODES: Partial<Record<AuditEventName, CodeResult>> = {
  "code-right": "right",
  "code-wrong": "wrong",
  "code-blocked": "blocked",
};

/** Counts an event of the audit, if it is one that an alarm looks at (S16, S27). */
export function countEvent({ event, purpose }: AuditEvent): void {
  const { signIns, codesSent, codesNotSent, codesChecked } = metrics();
  const signIn = SIGN_INS[event];
  if (signIn) signIns.inc({ result: signIn });
  if (!purpose) return;
  const checked = CHECKED_CODES[event];
  if (checked) codesChecked.inc({ purpose, result: checked });
  if (event === "code-sent") codesSent.inc({ purpose });
  if (event === "code-not-sent") codesNotSent.inc({ purpose });
}
