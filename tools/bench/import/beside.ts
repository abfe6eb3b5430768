import { setTimeout as wait } from "node:timers/promises";
import type { Store } from "~/backend/store/store.server";
import { seedCustomers } from "../accounts";
import { ApiCustomer } from "../api-customer";
import type { Home } from "../home";
import { keepAliveClient } from "../keep-alive";
import { withoutLimits } from "../looseness";
import { percentile } from "../percentile";
import type { Running } from "../process";
import type { Row } from "../row";
import { runImport } from "./command";
import { withPolicyholders } from "./policyholders";

const ACCOUNTS = 400;
const MOST_OF_IDLE = 2;
/** More lines a second than an import beside a portal can write. */
const ENOUGH = 3000;
const LOOK_MS = 50;
/** A pause between two sign-ins: as in a quiet hour, each has the portal to itself. */
const PAUSE_MS = 20;
const LOOSE = withoutLimits("ADDRESS_SIGN_INS_PER_10_MINUTES");

/** How often, and for how long, sign-ins are measured, with the import and without. */
interface Turns {
  readonly rounds: number;
  readonly seconds: number;
}

/** How long sign-ins take beside an import, taking turns with sign-ins without one. */
export async function signInsBeside(name: string, home: Home, { rounds, seconds }: Turns): Promise<Row> {
  await seedCustomers(home, { customers: ACCOUNTS, accounts: ACCOUNTS });
  const portal = await home.startPortal({ ...LOOSE, TRUSTED_PROXIES: "127.0.0.1" });
  await signInsFor(portal, 1);
  const idle: number[] = [];
  const beside: number[] = [];
  let lines = 0;
  for (let nth = 0; nth < rounds; nth += 1) {
    idle.push(...(await signInsFor(portal, seconds)));
    const count = ENOUGH * (seconds + 5);
    const during = await duringImport(home, { first: nth * count, count }, () => signInsFor(portal, seconds));
    beside.push(...during.value);
    lines += during.lines;
  }
  await portal.stop();
  return {
    name: `sign-ins by API beside an import on ${name}: p99 of auth/login`,
    unit: "ms",
    measured: percentile(beside, 99),
    target: { of: "ratio", bound: "at most", value: MOST_OF_IDLE },
    floor: { value: percentile(idle, 99), what: "the same without an import" },
    note:
      `${beside.length} and ${idle.length} sign-ins, p50 ${percentile(beside, 50).toFixed(1)} and ${percentile(idle, 50).toFixed(1)} ms; ` +
      `${Math.round(lines / rounds / seconds)} lines imported a second`,
  };
}

/** Does the work once the import has begun to write, and ends the import afterwards. */
function duringImport<Value>(
  home: Home,
  lines: { readonly first: number; readonly count: number },
  work: () => Promise<Value>,
) {
  return withPolicyholders(lines, async (file) => {
    const store = await home.openBeside();
    try {
      const before = await countPolicies(store);
      const running = runImport(home, file);
      const ended = running.ended.catch((error: unknown) => error);
      while ((await countPolicies(store)) === before) await wait(LOOK_MS);
      const began = await countPolicies(store);
      const value = await work();
      const lines = (await countPolicies(store)) - began;
      running.interrupt();
      const problem = await ended;
      if (problem instanceof Error) throw problem;
      return { value, lines };
    } finally {
      await store.close();
    }
  });
}

async function countPolicies({ read }: Store): Promise<number> {
  const { count } = await read
    .selectFrom("policies")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** One customer after the other signs in with a password; how long each took, in ms. */
async function signInsFor(portal: Running, seconds: number): Promise<readonly number[]> {
  const client = keepAliveClient(portal.port, 1);
  const latencies: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  for (let nth = 0; performance.now() < endsAt; nth += 1) {
    const customer = new ApiCustomer(client, nth % ACCOUNTS);
    const began = performance.now();
    await customer.login();
    latencies.push(performance.now() - began);
    await wait(PAUSE_MS);
  }
  client.close();
  return latencies;
}
