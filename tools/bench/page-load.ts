import autocannon from "autocannon";
import { VISITOR } from "./portal";
import type { Running } from "./process";

/** Concurrent connections, always busy. */
export const CONNECTIONS = 10;

/** A page to request again and again. */
export interface PageRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A form to post; without one it is a GET. */
  readonly body?: string;
  /** The status of every answer. */
  readonly status: number;
}

/** The sign-in page, as a returning browser requests it. */
export const SIGN_IN_PAGE: PageRequest = { path: "/home", headers: VISITOR, status: 200 };

/** The figures of one round of load. */
export interface Round {
  readonly pages: number;
  readonly seconds: number;
  /** Latencies in ms, while all connections were busy. */
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
}

/** Requests a page this many times. @throws Error if an answer has another status */
export async function load(server: Running, page: PageRequest, amount: number): Promise<Round> {
  const { path, headers, body, status } = page;
  const before = server.cpuMs();
  const began = performance.now();
  let ended = began;
  const run = autocannon({
    url: `http://127.0.0.1:${server.port}${path}`,
    connections: CONNECTIONS,
    amount,
    headers,
    ...(body !== undefined && { method: "POST", body }),
    timeout: 30,
  });
  // autocannon's clock counts whole seconds, and the floor is faster than that.
  run.on("response", () => {
    ended = performance.now();
  });
  const result = await run;
  const answered = result.statusCodeStats[String(status)]?.count ?? 0;
  if (answered < amount) throw new Error(`Only ${answered} of ${amount} × ${path} were answered ${status}`);
  const { p50, p99 } = result.latency;
  return { pages: answered, seconds: (ended - began) / 1000, p50, p99, cpuMs: server.cpuMs() - before };
}
