import { outboxAt } from "../../tests/portal";
import { ApiCustomer } from "./api-customer";
import { bareHashes } from "./bare-hashes";
import { forEachOf, keepAliveClient, type KeepAliveClient } from "./keep-alive";
import { mean } from "./percentile";
import type { Running } from "./process";
import type { Row } from "./row";

/** Always busy, so as many hashes run at a time as the portal allows, and as many as in the floor. */
const AT_ONCE = 10;

/** Processor time of a process, in ms. */
interface Prices {
  readonly login: number;
  readonly whole: number;
  /** The hash in a process that does nothing else. */
  readonly hash: number;
}

/** The most that each may cost, over the one hash it needs. */
export interface MostOfHash {
  readonly login: number;
  readonly whole: number;
}

/** How much to measure. */
export interface PriceRounds {
  readonly rounds: number;
  /** How many customers sign in each round; at least as many must exist. */
  readonly customers: number;
  readonly hashSeconds: number;
}

/** The price of a sign-in to the portal's process, password alone and all five calls, in turns with the bare hash. */
export async function priceOfSignIn(portal: Running, options: PriceRounds): Promise<readonly Prices[]> {
  const client = keepAliveClient(portal.port, AT_ONCE);
  const prices: Prices[] = [];
  for (let nth = 0; nth < options.rounds; nth += 1) {
    const { cpuMsEach } = await bareHashes({ concurrency: AT_ONCE, seconds: options.hashSeconds });
    prices.push({
      login: await loginPrice(portal, client, options.customers),
      whole: await wholePrice(portal, client, options.customers),
      hash: cpuMsEach,
    });
  }
  client.close();
  return prices;
}

/** The rows for these prices. */
export function priceRows(name: string, most: MostOfHash, prices: readonly Prices[]): readonly Row[] {
  const floor = { value: mean(prices.map(({ hash }) => hash)), what: "processor time of its one argon2id" };
  const row = (what: string, of: (price: Prices) => number, most: number): Row => ({
    name: `${name}: processor time of ${what}`,
    unit: "ms",
    measured: mean(prices.map(of)),
    target: { of: "ratio", bound: "at most", value: most },
    floor,
  });
  return [
    row("auth/login alone", ({ login }) => login, most.login),
    row("a whole sign-in by API", ({ whole }) => whole, most.whole),
  ];
}

function customersOf(client: KeepAliveClient, count: number): readonly ApiCustomer[] {
  return Array.from({ length: count }, (_, nth) => new ApiCustomer(client, nth));
}

async function loginPrice(portal: Running, client: KeepAliveClient, count: number): Promise<number> {
  const customers = customersOf(client, count);
  const before = portal.cpuMs();
  await forEachOf(customers, AT_ONCE, (customer) => customer.login());
  return (portal.cpuMs() - before) / count;
}

/** Reading the demo's outbox, which no insurer's portal has, isn't counted. */
async function wholePrice(portal: Running, client: KeepAliveClient, count: number): Promise<number> {
  const customers = customersOf(client, count);
  const began = portal.cpuMs();
  await forEachOf(customers, AT_ONCE, async (customer) => {
    await customer.login();
    await customer.askForCode();
  });
  const untilCode = portal.cpuMs() - began;
  const codes = await codesByPhone(portal);
  const codesCame = portal.cpuMs();
  await forEachOf(customers, AT_ONCE, (customer) => customer.confirm(codes.get(customer.phone) ?? ""));
  return (untilCode + portal.cpuMs() - codesCame) / count;
}

async function codesByPhone({ port }: Running): Promise<ReadonlyMap<string, string>> {
  const newestLast = [...(await outboxAt(port).outbox())].reverse();
  return new Map(newestLast.map(({ to, text }) => [to, /\d{6}/.exec(text)?.[0] ?? ""]));
}
