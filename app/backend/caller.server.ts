import type { AuditEvent } from "./audit-event.server";

/** Who makes a call, read once from each request. */
export interface Caller {
  /** The client's address, as the front door verified it. */
  readonly address: string;
  readonly requestId: string;
  /** What the caller's device is called, such as "Firefox 128, Windows 10"; empty if it isn't known. */
  readonly deviceName: string;
  /** When the head of the request arrived, on the stopwatch. Waiting time counts from then (S114). */
  readonly arrivedAt: number;
  /** The browser's token; a new one if the request had none. */
  readonly browser: string;
  readonly session: string | undefined;
  readonly trustedDevice: string | undefined;
  /** Makes a signal that is aborted when the client has left; undefined if nobody can tell. */
  readonly left: (() => AbortSignal) | undefined;
  /** Events written to the audit during this request; logged at its end. */
  readonly audited: AuditEvent[];
}
