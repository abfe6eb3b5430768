import type { AuditEvent } from "./audit-event.server";

/** Who makes a call: facts of one request, read once at the door. */
export interface Caller {
  /** The client's address, as the front door found it believable. */
  readonly address: string;
  readonly requestId: string;
  /** The token that this browser is known by; a new one when it came without. */
  readonly browser: string;
  readonly session: string | undefined;
  readonly trustedDevice: string | undefined;
  /** What was written into the audit during this request; logged when it is over. */
  readonly audited: AuditEvent[];
}
