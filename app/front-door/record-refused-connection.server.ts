import { log, type Log } from "~/platform/telemetry/log.server";
import { counter, levels } from "~/platform/telemetry/metric-kinds.server";
import { CONNECTION_REFUSALS, type ConnectionRefusal } from "./policy";
import { SparseLines } from "./sparse-lines";

/** At most one line per reason in this many ms, so that a flood can't fill the disk. */
const BETWEEN_LINES_MS = 60_000;

const refusals = counter(
  { name: "portal_connections_refused_total", help: "Connections closed by the front door, by reason" },
  { reason: CONNECTION_REFUSALS },
);

const openLevels = levels({
  open: { name: "portal_connections_open", help: "Connections of customers and proxies that are open" },
});

/** Counts open connections at each scrape. */
export function countOpenConnections(count: () => number): void {
  openLevels.feed(() => ({ open: count() }));
}

/** Counts connections that the front door closed, and now and then logs how many and the address of the latest. */
export class RefusedConnections {
  readonly #log: () => Log;
  readonly #lines: SparseLines;

  /** @param now in ms, of a clock that never jumps */
  constructor(log: () => Log, now: () => number) {
    this.#log = log;
    this.#lines = new SparseLines(BETWEEN_LINES_MS, now);
  }

  record({ reason, clientAddress }: ConnectionRefusal): void {
    refusals.inc({ reason });
    const count = this.#lines.dueCount(reason);
    if (count === undefined) return;
    this.#log().warn({ event: "connections-refused", reason, clientAddress, count }, "connections refused");
  }
}

const refused = new RefusedConnections(log, () => performance.now());

/** Logs and counts a connection that the front door closed. */
export function recordRefusedConnection(refusal: ConnectionRefusal): void {
  refused.record(refusal);
}
