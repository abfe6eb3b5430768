import { log, type Log } from "~/platform/telemetry/log.server";
import { counter } from "~/platform/telemetry/metric-kinds.server";
import { SparseLines } from "./sparse-lines";

const BETWEEN_LINES_MS = 60 * 60_000;

const forwards = counter(
  {
    name: "portal_untrusted_forwards_total",
    help: "Requests with forwarding headers from a peer that TRUSTED_PROXIES does not name",
  },
  {},
);

/** Counts requests that a proxy seems to have passed on although nobody trusts it, and logs that once an hour. */
export class UntrustedForwards {
  readonly #log: () => Log;
  readonly #lines: SparseLines;

  /** @param now in ms, of a clock that never jumps */
  constructor(log: () => Log, now: () => number) {
    this.#log = log;
    this.#lines = new SparseLines(BETWEEN_LINES_MS, now);
  }

  record(peer: string): void {
    forwards.inc({});
    const count = this.#lines.dueCount("");
    if (count === undefined) return;
    this.#log().warn(
      { event: "proxy-not-trusted", clientAddress: peer, count },
      "forwarded headers from a peer that TRUSTED_PROXIES doesn't name",
    );
  }
}

const untrusted = new UntrustedForwards(log, () => performance.now());

/** Logs and counts a request with forwarding headers from a peer that is not a trusted proxy. */
export function recordUntrustedForward(peer: string): void {
  untrusted.record(peer);
}
