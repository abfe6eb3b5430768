import { log, type Log } from "~/platform/telemetry/log.server";
import { counter } from "~/platform/telemetry/metric-kinds.server";
import { CONNECTION_REFUSALS, type ConnectionRefusal } from "./policy";

/** At most one line per reason in this many ms, so that a flood can't fill the disk. */
const BETWEEN_LINES_MS = 60_000;

const refusals = counter(
  { name: "portal_connections_refused_total", help: "Connections closed by the front door, by reason" },
  { reason: CONNECTION_REFUSALS },
);

/** Counts connections that the front door closed, and now and then logs how many and the address of the latest. */
export class RefusedConnections {
  readonly #log: () => Log;
  readonly #now: () => number;
  readonly #lines = new Map<string, { readonly at: number; since: number }>();

  /** @param now in ms, of a clock that never jumps */
  constructor(log: () => Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  record({ reason, clientAddress }: ConnectionRefusal): void {
    refusals.inc({ reason });
    const now = this.#now();
    const line = this.#lines.get(reason);
    if (line && now - line.at < BETWEEN_LINES_MS) {
      line.since += 1;
      return;
    }
    const count = (line?.since ?? 0) + 1;
    this.#lines.set(reason, { at: now, since: 0 });
    this.#log().warn({ event: "connections-refused", reason, clientAddress, count }, "connections refused");
  }
}

const refused = new RefusedConnections(log, () => performance.now());

/** Logs and counts a connection that the front door closed. */
export function recordRefusedConnection(refusal: ConnectionRefusal): void {
  refused.record(refusal);
}
