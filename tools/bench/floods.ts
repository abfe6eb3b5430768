import autocannon, { type Run } from "autocannon";
import { customerNumber, PASSWORD, seedCustomers } from "./accounts";
import type { Thoroughness } from "./bench";
import { onPostgres, onSqlite, type Home } from "./home";
import { keepAliveClient, type KeepAliveClient } from "./keep-alive";
import { SHIPPED } from "./looseness";
import { percentile } from "./percentile";
import type { Running } from "./process";
import type { Row } from "./row";
import { addressNumber } from "./sign-in-load";

const ACCOUNTS = 400;
/** As many as one address may open (S105). */
const CONNECTIONS = 100;
const FLOODER = "10.9.9.9";
const BETWEEN_SIGN_INS_MS = 30;
const SETTLING = 100;
const LONGEST_S = 300;
const MOST_OF_IDLE = 3;
const JSON_TYPE = { "Content-Type": "application/json" };

/** Requests that an address may send only so often, sent without a pause. */
const FLOODS = {
  codes: {
    path: "/home/api/user/login-remind/confirm",
    body: { policyNo: customerNumber(0).policyNo, authorizationCode: "000000" },
  },
  passwords: { path: "/home/api/auth/login", body: { username: "nikt.taki", password: "Zle-Haslo-2026!" } },
} as const;
type Flood = keyof typeof FLOODS;

/** A sign-in beside one address that sends codes or passwords without a pause, on both databases (S110). */
export async function benchFloods({ quick }: Thoroughness): Promise<readonly Row[]> {
  const count = quick ? 50 : 400;
  return [
    ...(await onSqlite((home) => measure("flood", home, count))),
    ...(await onPostgres((home) => measure("PostgreSQL: flood", home, count))),
  ];
}

async function measure(name: string, home: Home, count: number): Promise<readonly Row[]> {
  await seedCustomers(home, { customers: ACCOUNTS, accounts: ACCOUNTS });
  // The demo's limits are higher, and this is about requests beyond the limits.
  const portal = await home.startPortal({ ...SHIPPED, TRUSTED_PROXIES: "127.0.0.1" });
  const client = keepAliveClient(portal.port, 1);
  await signIns(client, count, 0);
  const idle = percentile(await signIns(client, count, BETWEEN_SIGN_INS_MS), 99);
  const rows: Row[] = [];
  for (const kind of ["codes", "passwords"] as const) {
    const flood = startFlood(portal, kind);
    // The first requests are within the limit, and they aren't measured.
    await signIns(client, SETTLING, BETWEEN_SIGN_INS_MS);
    const beside = await signIns(client, count, BETWEEN_SIGN_INS_MS);
    flood.stop();
    const refused = (await flood).statusCodeStats["429"]?.count ?? 0;
    rows.push({
      name: `${name} of ${kind}: p99 of auth/login meanwhile`,
      unit: "ms",
      measured: percentile(beside, 99),
      target: { of: "ratio", bound: "at most", value: MOST_OF_IDLE },
      floor: { value: idle, what: "p99 of the same sign-in, nobody else there" },
      note: `${CONNECTIONS} connections, ${refused} refused, p50 ${percentile(beside, 50).toFixed(0)} ms`,
    });
  }
  client.close();
  await portal.stop();
  return rows;
}

/** How long each sign-in took, in ms, one after the other. @throws Error if one fails */
async function signIns(client: KeepAliveClient, count: number, pauseMs: number): Promise<readonly number[]> {
  const took: number[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const began = performance.now();
    const { status } = await client.send({
      method: "POST",
      path: "/home/api/auth/login",
      headers: { ...JSON_TYPE, "X-Forwarded-For": addressNumber(nth) },
      body: JSON.stringify({ username: customerNumber(nth % ACCOUNTS).username, password: PASSWORD }),
    });
    took.push(performance.now() - began);
    if (status !== 200) throw new Error(`a sign-in was answered ${status}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return took;
}

function startFlood({ port }: Running, kind: Flood): Run {
  const { path, body } = FLOODS[kind];
  const headers = { ...JSON_TYPE, "X-Forwarded-For": FLOODER };
  return autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: LONGEST_S,
    requests: [{ method: "POST", path, headers, body: JSON.stringify(body) }],
  });
}
