import { customerNumber, seedCustomers } from "./accounts";
import { bareHashes } from "./bare-hashes";
import type { Thoroughness } from "./bench";
import { onPostgres, onSqlite, type Home } from "./home";
import { RATES_LIFTED, withoutLimits } from "./looseness";
import { mean, percentile } from "./percentile";
import type { Row } from "./row";
import { CONNECTIONS, pagesFor, signInFor, type SignInLoad } from "./sign-in-load";
import { priceOfSignIn, priceRows } from "./sign-in-price";

const ACCOUNTS = 400;
const LEAST_OF_FLOOR = 0.8;
const LEAST_OF_FLOOR_ON_POSTGRES = 0.75;
const PAGE_P99_MS = 40;
const MOST_OF_IDLE_PAGE = 3;

const MOST_OF_HASH = { login: 1.15, whole: 1.3 };
const MOST_OF_HASH_ON_POSTGRES = { login: 1.2, whole: 1.4 };

const LOOSE = { ...RATES_LIFTED, ...withoutLimits("PASSWORD_TRIES") };

/** Sign-ins on 200 connections, taking turns with the bare hash; meanwhile a visitor loads the sign-in page. */
export function benchSignIns({ quick }: Thoroughness): Promise<readonly Row[]> {
  return onSqlite(async (home) => {
    const { loads, floors, alone, prices } = await measure(home, quick);
    return [
      ...rowsOf("sign-ins", LEAST_OF_FLOOR, loads, floors),
      ...priceRows("sign-ins", MOST_OF_HASH, prices),
      {
        ...pageRow("sign-ins", loads),
        target: { of: "measured", bound: "at most", value: PAGE_P99_MS },
        floor: { value: percentile(alone, 50), what: "p50 of the same page, nobody else there" },
      },
    ];
  });
}

/** The same on PostgreSQL, which uses this machine's processors too. */
export function benchSignInsOnPostgres({ quick }: Thoroughness): Promise<readonly Row[]> {
  return onPostgres(async (home) => {
    const { loads, floors, alone, prices } = await measure(home, quick);
    return [
      ...rowsOf("PostgreSQL: sign-ins", LEAST_OF_FLOOR_ON_POSTGRES, loads, floors),
      ...priceRows("PostgreSQL: sign-ins", MOST_OF_HASH_ON_POSTGRES, prices),
      {
        ...pageRow("PostgreSQL: sign-ins", loads),
        target: { of: "ratio", bound: "at most", value: MOST_OF_IDLE_PAGE },
        floor: { value: percentile(alone, 99), what: "p99 of the same page, nobody else there" },
      },
    ];
  });
}

async function measure(home: Home, quick: boolean) {
  const rounds = quick ? 1 : 3;
  const seconds = quick ? { alone: 3, floor: 3, load: 8 } : { alone: 20, floor: 5, load: 15 };
  await seedCustomers(home, { customers: ACCOUNTS, accounts: ACCOUNTS });
  const usernames = Array.from({ length: ACCOUNTS }, (_, nth) => customerNumber(nth).username);
  const portal = await home.startPortal({ ...LOOSE, TRUSTED_PROXIES: "127.0.0.1" });
  const alone = await pagesFor(portal, seconds.alone);
  const hashesPerSecond = async () =>
    (await bareHashes({ concurrency: CONNECTIONS, seconds: seconds.floor })).perSecond;
  const floors = [await hashesPerSecond()];
  const loads: SignInLoad[] = [];
  for (let nth = 0; nth < rounds; nth += 1) {
    loads.push(await signInFor(portal, usernames, seconds.load));
    floors.push(await hashesPerSecond());
  }
  const prices = await priceOfSignIn(portal, {
    rounds: quick ? 2 : 6,
    customers: quick ? 100 : ACCOUNTS,
    hashSeconds: seconds.floor,
  });
  await portal.stop();
  return { loads, floors, alone, prices };
}

function rowsOf(
  name: string,
  leastOfFloor: number,
  loads: readonly SignInLoad[],
  floors: readonly number[],
): readonly Row[] {
  const others = loads.reduce((sum, load) => sum + load.others, 0);
  const hashesPerSecond = mean(floors);
  return [
    {
      name: `${name}: POST /home/api/auth/login`,
      unit: "/s",
      measured: mean(loads.map(({ perSecond }) => perSecond)),
      target: { of: "ratio", bound: "at least", value: leastOfFloor },
      floor: { value: hashesPerSecond, what: "argon2id alone, as many at a time" },
      note: `${CONNECTIONS} connections, ${ACCOUNTS} accounts, half wrong, ${others} neither 200 nor 400`,
    },
    {
      name: `${name}: processor time each, pages included`,
      unit: "ms",
      measured: mean(loads.map(({ cpuMsPerSignIn }) => cpuMsPerSignIn)),
    },
    {
      name: `${name}: ${CONNECTIONS} new connections, until each is answered`,
      unit: "s",
      measured: mean(loads.map(({ firstRoundMs }) => firstRoundMs)) / 1000,
      floor: { value: CONNECTIONS / hashesPerSecond, what: "their argon2id alone" },
    },
  ];
}

function pageRow(name: string, loads: readonly SignInLoad[]): Row {
  const pages = loads.flatMap((load) => load.pages);
  return {
    name: `${name}: p99 of GET /home meanwhile`,
    unit: "ms",
    measured: percentile(pages, 99),
    note: `${pages.length} pages, p50 ${percentile(pages, 50).toFixed(0)} ms`,
  };
}
