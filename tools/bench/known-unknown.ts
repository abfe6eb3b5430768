import { randomBytes } from "node:crypto";
import { customerNumber, seedCustomers } from "./accounts";
import type { Thoroughness } from "./bench";
import { onPostgres, onSqlite, type Home } from "./home";
import { forEachOf, keepAliveClient, type KeepAliveClient } from "./keep-alive";
import { ADDRESS_RATES_LIFTED, withoutLimits } from "./looseness";
import { percentile } from "./percentile";
import { VISITOR } from "./portal";
import type { Running } from "./process";
import type { Row } from "./row";
import { tellingApart } from "./telling-apart";

/** How well a guess by response time may do; 0.5 is as good as tossing a coin. */
export const MOST_AUC = 0.55;
const MOST_MEDIANS_MS = 0.5;
/** How many other requests are under way beside each: requests of other lanes, and of visitors who load pages. */
const OTHERS = 50;
/** Under load this many of the measured requests run at once; one after the other they took an hour and a half. */
const LANES = 25;

const LOOSE = {
  ...ADDRESS_RATES_LIFTED,
  ...withoutLimits("SMS_OPEN_TOTAL_PER_HOUR", "SMS_KNOWN_TOTAL_PER_HOUR"),
  // More lanes than connections, all from one address, on a machine that also makes the load: their waiting is part
  // of the measurement.
  LIMIT_DATABASE_CONNECT_MS: "30000",
  LIMIT_DATABASE_QUERY_MS: "30000",
  LIMIT_DATABASE_LOCK_MS: "30000",
};

/** A start step, filled in with a customer's details or with details that match no customer. */
export interface Start {
  readonly name: string;
  readonly path: string;
  readonly fields: (customer: ReturnType<typeof customerNumber>) => Readonly<Record<string, string>>;
  /** Registration is for customers without an account. */
  readonly hasAccount: boolean;
}

/** Every form that could tell a customer from a stranger. */
export const STARTS: readonly Start[] = [
  {
    name: "sign-in, wrong password",
    path: "/home?index",
    fields: ({ username }) => ({ username, password: "Niedobre-Haslo-2026" }),
    hasAccount: true,
  },
  {
    name: "reset",
    path: "/home/reset-password-init",
    fields: ({ username }) => ({ username }),
    hasAccount: true,
  },
  {
    name: "reminder",
    path: "/home/remind-login-init",
    fields: ({ policyNo }) => ({ policyNo }),
    hasAccount: true,
  },
  {
    name: "registration",
    path: "/home/register",
    fields: ({ policyNo, pid }) => ({ policyNo, pid }),
    hasAccount: false,
  },
];

/** Numbers from here on belong to no customer. */
const NOBODY = 10_000_000;

/** Response times of one start step (ms). */
export interface Times {
  readonly known: readonly number[];
  readonly unknown: readonly number[];
}

/** Whether response times reveal who is a customer (S2, S108): known and unknown details in random order. */
export async function benchKnownUnknown({ quick }: Thoroughness): Promise<readonly Row[]> {
  const aSide = quick ? 200 : 2000;
  return [
    ...(await onSqlite(compareAll("", aSide))),
    ...(await onPostgres(compareAll("PostgreSQL: ", aSide))),
  ];
}

function compareAll(prefix: string, aSide: number): (home: Home) => Promise<readonly Row[]> {
  return async (home) => {
    // Each customer is asked about once, idle or under load; half of them have accounts.
    await seedCustomers(home, { customers: aSide * 4, accounts: aSide * 2 });
    const portal = await home.startPortal(LOOSE);
    const rows: Row[] = [];
    for (const start of STARTS) {
      const first = start.hasAccount ? 0 : aSide * 2;
      const idle = await timesOf(portal, start, { first, aSide });
      const busy = await besideOthers(portal, () =>
        timesOf(portal, start, { first: first + aSide, aSide, lanes: LANES }),
      );
      rows.push(...rowsOf(`${prefix}known or unknown: ${start.name}`, idle, busy));
    }
    await portal.stop();
    return rows;
  };
}

function rowsOf(name: string, idle: Times, busy: Times): readonly Row[] {
  const apart = (how: string, times: Times): Row => ({
    name: `${name}, ${how}: AUC`,
    unit: "",
    measured: tellingApart(times.known, times.unknown),
    target: { of: "measured", bound: "at most", value: MOST_AUC },
    note: `${times.known.length} a side, medians ${medians(times)} ms`,
  });
  return [
    apart("idle", idle),
    apart(`${OTHERS} others`, busy),
    {
      name: `${name}, idle: medians apart`,
      unit: "ms",
      measured: Math.abs(percentile(idle.known, 50) - percentile(idle.unknown, 50)),
      target: { of: "measured", bound: "at most", value: MOST_MEDIANS_MS },
    },
  ];
}

function medians({ known, unknown }: Times): string {
  return `${percentile(known, 50).toFixed(2)} and ${percentile(unknown, 50).toFixed(2)}`;
}

/** A portal on a port of 127.0.0.1, as a client on the same machine reaches it. */
export interface TimedPortal {
  readonly port: number;
  /** Where it has a public origin: that origin's host. Its cookies then have a prefix. */
  readonly publicHost?: string;
}

/** Asks about each customer and each unknown person once, in random order, so that slow changes affect both alike. */
export async function timesOf(
  portal: TimedPortal,
  start: Start,
  { first, aSide, lanes = 1 }: { readonly first: number; readonly aSide: number; readonly lanes?: number },
): Promise<Times> {
  const client = keepAliveClient(portal.port, lanes);
  const times = { known: [] as number[], unknown: [] as number[] };
  const turns = Array.from({ length: aSide }, (_, nth) => first + nth)
    .flatMap((number) => [
      { number, side: times.known },
      { number: NOBODY + number, side: times.unknown },
    ])
    .map((turn) => ({ ...turn, at: Math.random() }))
    .sort((one, other) => one.at - other.at);
  await forEachOf(turns, lanes, async ({ number, side }) => {
    side.push(await timeOf(client, portal, start, number));
  });
  client.close();
  return times;
}

/** How long a returning browser, a new one each time, waits for the answer to this form (ms). */
async function timeOf(
  client: KeepAliveClient,
  { publicHost }: TimedPortal,
  { path, fields }: Start,
  number: number,
): Promise<number> {
  const browser = randomBytes(32).toString("base64url");
  const began = performance.now();
  const { status } = await client.send({
    method: "POST",
    path,
    headers: {
      Cookie: `accepted-cookies=true; ${publicHost === undefined ? "" : "__Host-"}browser=${browser}`,
      ...(publicHost !== undefined && { Host: publicHost }),
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(fields(customerNumber(number))).toString(),
  });
  const took = performance.now() - began;
  if (status !== 303 && status !== 400) throw new Error(`${path} answered ${status}`);
  return took;
}

/** Does the work while visitors load the sign-in page without a pause. */
async function besideOthers<Value>(portal: Running, work: () => Promise<Value>): Promise<Value> {
  const visitors = OTHERS + 1 - LANES;
  const client = keepAliveClient(portal.port, visitors);
  let isOver = false;
  const others = Array.from({ length: visitors }, async () => {
    while (!isOver) await client.send({ method: "GET", path: "/home", headers: VISITOR });
  });
  const value = await work();
  isOver = true;
  await Promise.all(others);
  client.close();
  return value;
}
