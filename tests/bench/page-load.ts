import autocannon from "autocannon";
import { VISITOR } from "./portal";
import type { Running } from "./process";

/** Concurrent connections, always busy. */
export const CONNECTIONS = 10;

/** The figures of one round of load. */
export interface Round {
  readonly pages: number;
  readonly seconds: number;
  /** Latencies in ms, while all connections were busy. */
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
}

/** Fetches this many login pages. @throws Error if one is not answered 200 */
export async function load(server: Running, amount: number): Promise<Round> {
  const before = server.cpuMs();
  const began = performance.now();
  let ended = began;
  const run = autocannon({
    url: `http://127.0.0.1:${server.port}/home`,
    connections: CONNECTIONS,
    amount,
    headers: VISITOR,
    timeout: 30,
  });
  // autocannon's clock counts whole seconds, and the floor is faster than that.
  run.on("response", () => {
    ended = performance.now();
  });
  const result = await run;
  const answered = result.statusCodeStats["200"]?.count ?? 0;
  if (answered < amount) throw new Error(`Only ${answered} of ${amount} pages were answered 200`);
  const { p50, p99 } = result.latency;
  return { pages: answered, seconds: (ended - began) / 1000, p50, p99, cpuMs: server.cpuMs() - before };
}
