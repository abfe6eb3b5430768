import { fork } from "node:child_process";
import { join } from "node:path";
import { customerNumber, seedCustomers } from "./accounts";
import type { Thoroughness } from "./bench";
import { withoutLimits } from "./looseness";
import { percentile } from "./percentile";
import { startPortal, withDataDir } from "./portal";
import type { HashOrder, HashReport } from "./raw-hashes";
import type { Row } from "./row";
import { CONNECTIONS, pagesFor, signInFor, type SignInLoad } from "./sign-in-load";

const ACCOUNTS = 400;
const LEAST_OF_FLOOR = 0.8;
const PAGE_P99_MS = 250;
const ALONE_S = 3;

const LOOSE = withoutLimits("ADDRESS_SIGN_INS_PER_10_MINUTES", "PASSWORD_TRIES");

/** Sign-ins on 200 connections, by turns with the bare hash; meanwhile somebody looks at the login page. */
export async function benchSignIns({ quick }: Thoroughness): Promise<readonly Row[]> {
  const rounds = quick ? 1 : 3;
  const seconds = quick ? { floor: 3, load: 8 } : { floor: 5, load: 15 };
  return withDataDir(async (dataDir) => {
    await seedCustomers(dataDir, { customers: ACCOUNTS, accounts: ACCOUNTS });
    const usernames = Array.from({ length: ACCOUNTS }, (_, nth) => customerNumber(nth).username);
    const portal = await startPortal(dataDir, LOOSE);
    const alone = await pagesFor(portal, ALONE_S);
    const floors = [await rawHashes(seconds.floor)];
    const loads: SignInLoad[] = [];
    for (let nth = 0; nth < rounds; nth += 1) {
      loads.push(await signInFor(portal, usernames, seconds.load));
      floors.push(await rawHashes(seconds.floor));
    }
    await portal.stop();
    return rowsOf(loads, floors, alone);
  });
}

function rowsOf(
  loads: readonly SignInLoad[],
  floors: readonly number[],
  alone: readonly number[],
): readonly Row[] {
  const others = loads.reduce((sum, load) => sum + load.others, 0);
  const pages = loads.flatMap((load) => load.pages);
  const hashesPerSecond = mean(floors);
  return [
    {
      name: "sign-ins: POST /home/api/auth/login",
      unit: "/s",
      measured: mean(loads.map(({ perSecond }) => perSecond)),
      target: { of: "ratio", bound: "at least", value: LEAST_OF_FLOOR },
      floor: { value: hashesPerSecond, what: "argon2id alone, as many at a time" },
      note: `${CONNECTIONS} connections, ${ACCOUNTS} accounts, half wrong, ${others} neither 200 nor 400`,
    },
    {
      name: "sign-ins: processor time each, pages included",
      unit: "ms",
      measured: mean(loads.map(({ cpuMsPerSignIn }) => cpuMsPerSignIn)),
    },
    {
      name: "sign-ins: p99 of GET /home meanwhile",
      unit: "ms",
      measured: percentile(pages, 99),
      target: { of: "measured", bound: "at most", value: PAGE_P99_MS },
      floor: { value: percentile(alone, 50), what: "p50 of the same page, nobody else there" },
      note: `${pages.length} pages, p50 ${percentile(pages, 50).toFixed(0)} ms`,
    },
    {
      name: `sign-ins: ${CONNECTIONS} new connections, until each is answered`,
      unit: "s",
      measured: mean(loads.map(({ firstRoundMs }) => firstRoundMs)) / 1000,
      floor: { value: CONNECTIONS / hashesPerSecond, what: "their argon2id alone" },
    },
  ];
}

function rawHashes(seconds: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(join(".cache", "bench", "raw-hashes.mjs"), {
      execArgv: ["--max-semi-space-size=2"],
      env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production" },
    });
    child.once("message", ({ perSecond }: HashReport) => {
      resolve(perSecond);
    });
    child.once("error", reject);
    const order: HashOrder = { concurrency: CONNECTIONS, seconds };
    child.send(order);
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
