import autocannon, { type Request } from "autocannon";
import { PASSWORD } from "./accounts";
import { VISITOR } from "./portal";
import type { Running } from "./process";
import { getRaw } from "../../tests/raw-answer";

/** Concurrent connections, each with one sign-in in progress. */
export const CONNECTIONS = 200;

const PATH = "/home/api/auth/login";
const JSON_TYPE = { "Content-Type": "application/json" };
const BETWEEN_PAGES_MS = 200;
const LONGEST_S = 120;

/** The figures of a period under sign-ins. */
export interface SignInLoad {
  readonly perSecond: number;
  readonly cpuMsPerSignIn: number;
  /** Answers that are neither "in" nor "wrong", for example a 503. */
  readonly others: number;
  /** From the first connection until each of the 200 has had an answer, in ms. */
  readonly firstRoundMs: number;
  /** How long pages took meanwhile, in ms. */
  readonly pages: readonly number[];
}

/**
 * Signs in on all connections, half of the times with a wrong password. The figures begin once each connection has
 * had an answer, since opening 200 at once is a load of its own. Resolves when the portal has finished all requests.
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
  if (decided === 0) throw new Error(`nobody could sign in: ${JSON.stringify([...counted])}`);
  return {
    perSecond: decided / windowSeconds,
    cpuMsPerSignIn: cpuMs / decided,
    others: all - decided,
    firstRoundMs,
    pages,
  };
}

/** Customers come from everywhere: each gets their own address, as named by a proxy. */
export function addressNumber(nth: number): string {
  return `10.1.${Math.floor(nth / 250) % 250}.${nth % 250}`;
}

/** Fills in one request after another; each account gets right and wrong passwords in turn. */
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
 * Requests the sign-in page five times a second, each time on a new connection, whether or not the last one has come;
 * returns how long each took, in ms.
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

/** Closed connections leave work behind; one more sign-in is answered once all of it is done. */
async function lastInQueue(url: string): Promise<void> {
  const body = JSON.stringify({ username: "nobody.at.all", password: PASSWORD });
  await fetch(url + PATH, { method: "POST", headers: JSON_TYPE, body });
}
