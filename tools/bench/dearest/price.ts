import { ask } from "../../../tests/http-request";
import { forEachOf, type KeepAliveClient } from "../keep-alive";
import type { Running } from "../process";
import { toWire, type Recipe } from "./recipe";

/** Requests in progress. */
export const AT_ONCE = 4;

/** The portal under test. */
export interface Target {
  readonly portal: Pick<Running, "cpuMs">;
  readonly client: KeepAliveClient;
  /** Where it serves its metrics. */
  readonly metricsPort: number;
  /** Counts up with each request sent. */
  sent: number;
  /** How many passwords the portal had hashed when last asked. */
  hashed: number;
  /** Processor time of one hash, in ms. */
  readonly hashMs: number;
}

/** How exact a price must be: the more of the portal's time is counted, the less a clock tick of 10 ms matters. */
export interface Exactness {
  readonly leastCpuMs: number;
  readonly mostRequests: number;
}

/** The price of one request. */
export interface Price {
  /** Processor time of the portal, in ms, without that of its password hashes. */
  readonly cpuMs: number;
  /** Of the last answer; 0 if the connection broke. */
  readonly status: number;
  /** How many passwords it made the portal hash. */
  readonly hashes: number;
}

const MOST_AT_A_TIME = 32;

/** Sends a request again and again, until its price is clear. */
export async function priceOf(target: Target, recipe: Recipe, exactness: Exactness): Promise<Price> {
  const mayHash = recipe.method !== "GET" && recipe.method !== "HEAD";
  const before = target.portal.cpuMs();
  let [requests, cpuMs, status] = [0, 0, 0];
  // One first: a request may cost seconds.
  for (let more = 1; cpuMs < exactness.leastCpuMs && requests < exactness.mostRequests;) {
    status = await sendMany(target, recipe, more);
    requests += more;
    more = Math.min(MOST_AT_A_TIME, requests);
    cpuMs = target.portal.cpuMs() - before;
  }
  const hashes = mayHash ? await newHashes(target) : 0;
  return { cpuMs: (cpuMs - hashes * target.hashMs) / requests, status, hashes: hashes / requests };
}

/** Sends this many requests of a recipe and returns the status of the last. */
async function sendMany(target: Target, recipe: Recipe, count: number): Promise<number> {
  let status = 0;
  const numbers = Array.from({ length: count }, () => (target.sent += 1));
  await forEachOf(numbers, AT_ONCE, async (nth) => {
    // A rejected request may lose its connection; it has cost something all the same.
    const answer = await target.client.send(toWire(recipe, nth)).catch(() => undefined);
    status = answer?.status ?? 0;
  });
  return status;
}

/** How many passwords the portal has hashed since this was last asked. */
export async function newHashes(target: Target): Promise<number> {
  const { body } = await ask({ port: target.metricsPort, path: "/metrics" });
  const hashed = Number(/^portal_hash_wait_seconds_count(?:\{[^}]*\})? (\d+)/m.exec(body)?.[1] ?? 0);
  const before = target.hashed;
  target.hashed = hashed;
  return hashed - before;
}
