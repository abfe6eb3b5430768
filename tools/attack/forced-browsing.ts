import { ANNA } from "../../tests/demo-customers";
import type { Topology } from "../../tests/topology/topology";
import { ADDRESSES, STATES, type AddressRow } from "../../tests/attack/addresses";
import {
  CALLS,
  callStatus,
  changedSessions,
  DETOURS,
  visitEveryWay,
  visitorFor,
  visitorIn,
  visitorsOf,
  type Visitors,
} from "../../tests/attack/visits";
import type { Outcome, Seen } from "./outcome";
import { atTopology, attackThroughNginx } from "./place";
import { RATES_LIFTED, SHIPPED } from "../bench/looseness";

/** The allowed answers to a write from another site: refused, nothing there, no such method. */
const REFUSED = new Set([403, 404, 405]);
const EVIL = "https://evil.example";
const CROSS_SITE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Origin of another site": { Origin: EVIL },
  "Origin null": { Origin: "null" },
  "Referer of another site": { Origin: "", Referer: `${EVIL}/x` },
  "Sec-Fetch-Site": { Origin: "", "Sec-Fetch-Site": "cross-site" },
};

/** Tries every address in every state, ways around the gates, and writes from other sites. */
export function attackByForcedBrowsing(): Promise<readonly Outcome[]> {
  return atTopology({ env: { ...SHIPPED, ...RATES_LIFTED } }, async (topology) => {
    const through = async (attack: string, work: (visitors: Visitors) => Promise<Seen>) => {
      const visitors = await visitorsOf(topology);
      return attackThroughNginx(topology, { attack, kind: "others" }, () => work(visitors));
    };
    return [
      await through("forced browsing, pages and forms", async (visitors) =>
        onlyWithSessions(await everyAddress(topology, visitors), await changedSessions(visitors)),
      ),
      await through("forced browsing, calls and detours", async (visitors) =>
        onlyWithSessions(await callsAndDetours(visitors), await changedSessions(visitors)),
      ),
      await through("cross-site writes", (visitors) => crossSiteWrites(topology, visitors)),
    ];
  });
}

/** Behind a lost session each address redirects: what was found there, or was not, says nothing about the portal. */
export function onlyWithSessions(seen: Seen, changed: readonly string[]): Seen {
  if (changed.length === 0) return seen;
  const left = `findings left out, since a session changed meanwhile: ${seen.findings.length}`;
  return {
    findings: [],
    notes: [...seen.notes, left],
    notReached: `a session changed: ${changed.join("; ")}`,
  };
}

/** Production has no demo pages, and nginx doesn't pass on /readyz. */
function inProduction(row: AddressRow): AddressRow {
  const isHidden = row.path.startsWith("/demo/") || row.path === "/readyz";
  return isHidden ? { ...row, get: 404, post: 404, noPage: true } : row;
}

async function everyAddress(topology: Topology, visitors: Visitors): Promise<Seen> {
  const findings: string[] = [];
  let count = 0;
  for (const row of ADDRESSES.map(inProduction))
    for (const state of STATES) {
      const visited = await visitEveryWay(row, state, () => visitorFor(topology, visitors, row, state));
      for (const { what, was, should } of visited) {
        count += 1;
        if (was !== should) findings.push(`${row.path}, ${state}: ${what} gives ${was}, not ${should}`);
      }
    }
  return { findings, notes: [`${count} outcomes compared with the table of addresses`] };
}

async function callsAndDetours(visitors: Visitors): Promise<Seen> {
  const findings: string[] = [];
  for (const [state, visitor] of visitors) {
    for (const call of CALLS) {
      const [method, path, payload] = call;
      const { status } = await visitor.twin().call(method, path, payload);
      const should = callStatus(call, state);
      if (status !== should) findings.push(`${method} ${path}, ${state}: ${status}, not ${should}`);
    }
    if (state === "signed-in") continue;
    for (const path of DETOURS) {
      const { body, status } = await visitor.twin().get(path);
      if (body.includes(ANNA.policyNo) || body.includes(ANNA.name))
        findings.push(`${path} shows a customer's data to a visitor who is ${state} (${status})`);
    }
  }
  return {
    findings,
    notes: [`${CALLS.length} calls and ${DETOURS.length} detours in ${visitors.size} states`],
  };
}

/** Why forms need no token: a write that a browser sends for another site is refused. */
async function crossSiteWrites(topology: Topology, visitors: Visitors): Promise<Seen> {
  const findings: string[] = [];
  const calls = CALLS.filter(([method]) => method !== "GET").map(([, path]) => path);
  const paths = [...new Set([...ADDRESSES.map(({ path }) => path), ...calls])];
  for (const [state, visitor] of visitors)
    for (const path of paths)
      for (const [how, headers] of Object.entries(CROSS_SITE)) {
        const { status } = await visitor.twin().post(path, { intent: "send-code" }, { headers });
        if (!REFUSED.has(status)) findings.push(`POST ${path}, ${state}, ${how}: ${status}`);
      }
  const cookies = await topologyCookies(topology);
  const changed = await changedSessions(visitors);
  return {
    findings: [
      ...findings,
      ...cookies,
      ...changed.map((session) => `a write from another site changed ${session}`),
    ],
    notes: [`${paths.length} addresses, each in ${visitors.size} states`],
  };
}

/** The other half of the protection: a form of another site doesn't carry the session cookie. */
async function topologyCookies(topology: Topology): Promise<readonly string[]> {
  const visitor = await visitorIn(topology, "signed-out");
  const answer = await visitor.login(ANNA);
  return answer
    .lines("Set-Cookie")
    .filter((line) => line.startsWith("__Host-session=") && !/; SameSite=(Lax|Strict)/i.test(line))
    .map((line) => `the session has no SameSite: ${line.replace(/=[^;]*/, "=…")}`);
}
