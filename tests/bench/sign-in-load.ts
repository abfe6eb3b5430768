import autocannon, { type Request } from "autocannon";
import { PASSWORD } from "./accounts";
import { VISITOR } from "./portal";
import type { Running } from "./process";
import { getRaw } from "../raw-answer";

/** At the same time, each with one sign-in under way. */
export const CONNECTIONS = 200;

const PATH = "/home/api/auth/login";
const JSON_TYPE = { "Content-Type": "application/json" };
const BETWEEN_PAGES_MS = 200;
const LONGEST_S = 120;

/** What a window of time under sign-ins gave. */
export interface SignInLoad {
  readonly perSecond: number;
  readonly cpuMsPerSignIn: number;
  /** Answers that are neither "in" nor "wrong": a 503, say. */
  readonly others: number;
  /** From no connection at all to the moment when each of the 200 has had an answer, in ms. */
  readonly firstRoundMs: number;
  /** What pages took meanwhile, in ms. */
  readonly pages: readonly number[];
}

/**
 * Signs in on all connections, half of it wrong. The figures begin when each connection has had an answer: 200 that
 * open at once are a load of their own. Resolves when the portal has done what it was asked.
 */
export async function signInFor(
  portal: Running,
  usernames: readonly string[],
  seconds: number,
): Promise<SignInLoad> {
  const url = `http://127.0.0.1:${portal.port}`;
  const began = performance.now();
  const run = autocannon({
    url,
    connections: CONNECTIONS,
    duration: LONGEST_S,
    timeout: LONGEST_S,
    requests: [{ method: "POST", path: PATH, headers: JSON_TYPE, setupRequest: attempts(usernames) }],
  });
  const counted = new Map<number, number>();
  const answered = new Set<object>();
  const isOpen = new Promise<void>((resolve) => {
    run.on("response", (connection, status) => {
      counted.set(status, (counted.get(status) ?? 0) + 1);
      if (answered.add(connection).size === CONNECTIONS) resolve();
    });
  });
  await isOpen;
  const firstRoundMs = performance.now() - began;

  counted.clear();
  const cpuBefore = portal.cpuMs();
  const windowBegan = performance.now();
  const pages = await pagesFor(portal, seconds);
  const windowSeconds = (performance.now() - windowBegan) / 1000;
  const cpuMs = portal.cpuMs() - cpuBefore;
  const decided = (counted.get(200) ?? 0) + (counted.get(400) ?? 0);
  const all = [...counted.values()].reduce((sum, count) => sum + count, 0);

  run.stop();
  await run;
  await lastInQueue(url);
  if (decided === 0) throw new Error(`Nobody could sign in: ${JSON.stringify([...counted])}`);
  return {
    perSecond: decided / windowSeconds,
    cpuMsPerSignIn: cpuMs / decided,
    others: all - decided,
    firstRoundMs,
    pages,
  };
}

/** Customers come from everywhere: each from an address of his own, which a proxy names. */
function addressNumber(nth: number): string {
  return `10.1.${Math.floor(nth / 250) % 250}.${nth % 250}`;
}

/** Fills in one request after the other; each account has right and wrong passwords by turns. */
function attempts(usernames: readonly string[]): (request: Request) => Request {
  let nth = 0;
  return (request) => {
    nth += 1;
    const username = usernames[nth % usernames.length];
    const isRight = (nth + Math.floor(nth / usernames.length)) % 2 === 0;
    return {
      ...request,
      headers: { ...JSON_TYPE, "X-Forwarded-For": addressNumber(nth) },
      body: JSON.stringify({ username, password: isRight ? PASSWORD : `${PASSWORD}!` }),
    };
  };
}

/**
 * Asks for the login page five times a second, on a new connection each, whether the last one has come or not; gives
 * what each took, in ms.
 */
export async function pagesFor(portal: Running, seconds: number): Promise<readonly number[]> {
  const latencies: Promise<number>[] = [];
  const timer = setInterval(() => latencies.push(latencyOf(portal)), BETWEEN_PAGES_MS);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  clearInterval(timer);
  return Promise.all(latencies);
}

async function latencyOf({ port }: Running): Promise<number> {
  const began = performance.now();
  await getRaw(port, "/home", VISITOR);
  return performance.now() - began;
}

/** Whoever hung up leaves work behind: one more sign-in is answered when all of that is done. */
async function lastInQueue(url: string): Promise<void> {
  const body = JSON.stringify({ username: "nobody.at.all", password: PASSWORD });
  await fetch(url + PATH, { method: "POST", headers: JSON_TYPE, body });
}
