import type { Keyring } from "~/backend/secrets/keyring.server";
import { findAccount, findHolder } from "~/backend/customers/customers.server";
import type { Store } from "~/backend/store/store.server";
import { customerNumber, seedCustomers } from "./accounts";
import type { Thoroughness } from "./bench";
import { onSqlite } from "./home";
import { percentile } from "./percentile";
import { BROWSER } from "./portal";
import type { Row } from "./row";

const FEW = 1000;
const MOST_OF_FEW = 1.2;
/** How often each customer of the small database is looked up. */
const ROUNDS = 6;

/** A database and the numbers of some of its customers, equally many from each database. */
interface Full {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly people: readonly number[];
}

/**
 * Finding a thousand customers among very many, compared with finding a thousand where there are no others. The two
 * take turns. The first look-ups are a separate row, since the pages of a large file are not cached yet.
 */
export async function benchLookUps({ quick }: Thoroughness): Promise<readonly Row[]> {
  const customers = quick ? 100_000 : 1_000_000;
  return withFull(FEW, (few) =>
    withFull(customers, async (many) => [
      ...(await rows(`policyholder by number and identifier, ${customers}`, few, many, findHolderOf)),
      ...(await rows(`account by username, ${customers}`, few, many, findAccountOf)),
    ]),
  );
}

async function withFull<Value>(customers: number, work: (full: Full) => Promise<Value>): Promise<Value> {
  return onSqlite(async (home) => {
    await seedCustomers(home, { customers, accounts: customers });
    const store = await home.openStore();
    try {
      return await work({ store, keyring: home.keyring, people: somePeople(customers) });
    } finally {
      await store.close();
    }
  });
}

type LookUp = (full: Full, nth: number) => Promise<unknown>;

async function rows(what: string, few: Full, many: Full, find: LookUp): Promise<readonly Row[]> {
  const first = { small: await timesOf(few, find), large: await timesOf(many, find) };
  const small: number[] = [];
  const large: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    small.push(...(await timesOf(few, find)));
    large.push(...(await timesOf(many, find)));
  }
  const row = (name: string, among: readonly number[], alone: readonly number[]): Row => ({
    name,
    unit: "µs",
    measured: percentile(among, 50) * 1000,
    floor: { value: percentile(alone, 50) * 1000, what: `the same among ${FEW}` },
    note: `medians of ${among.length}`,
  });
  return [
    {
      ...row(`look-up: ${what}`, large, small),
      target: { of: "ratio", bound: "at most", value: MOST_OF_FEW },
    },
    row("look-up: the same, each for the first time", first.large, first.small),
  ];
}

async function timesOf(full: Full, find: LookUp): Promise<readonly number[]> {
  const times: number[] = [];
  for (const nth of full.people) {
    const began = performance.now();
    const found = await find(full, nth);
    times.push(performance.now() - began);
    if (found === undefined) throw new Error("an existing customer was not found");
  }
  return times;
}

const asking = () => ({ browser: BROWSER, now: Date.now() });

function findHolderOf({ store, keyring }: Full, nth: number): Promise<unknown> {
  const { policyNo, pid } = customerNumber(nth);
  return findHolder(store.read, keyring, asking(), { policyNo, pid });
}

function findAccountOf({ store }: Full, nth: number): Promise<unknown> {
  return findAccount(store.read, asking(), customerNumber(nth).username);
}

/** A thousand customers, evenly spread, in random order. */
function somePeople(customers: number): readonly number[] {
  const numbers = Array.from({ length: FEW }, (_, nth) => Math.floor((nth * customers) / FEW));
  return numbers
    .map((number) => ({ number, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ number }) => number);
}
