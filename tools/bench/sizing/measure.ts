import { sql } from "kysely";
import type { Store } from "~/backend/store/store.server";
import { seedCustomers } from "../accounts";
import type { Home } from "../home";
import { PATIENT, RATES_LIFTED, withoutLimits } from "../looseness";
import { mean } from "../percentile";
import { priceOfSignIn } from "../sign-in-price";
import { growth, tableBytes, type TableBytes } from "./database-size";
import type { DatabaseFigures } from "./figures";
import { addPolicyholders } from "./policyholders";
import { takeTurns, type AfterTurn, type Turns } from "./turns";

const LOOSE = { ...RATES_LIFTED, ...withoutLimits("PASSWORD_TRIES"), ...PATIENT };
const PASSING = ["sessions", "codes", "windows", "attempts", "login_passes"];
const PRICE_ROUNDS = 2;
/** Sign-ins of each customer: the password alone and all of it in each round, then three visits with a code. */
const SIGN_INS = 2 * PRICE_ROUNDS + 3;

/** How much to do. */
export interface Amount {
  readonly visits: number;
  readonly imported: number;
  readonly hashSeconds: number;
}

/** The measurements of one database. */
export interface Measured {
  readonly figures: DatabaseFigures;
  readonly turns: Turns;
}

/** Fills a database and lets customers sign in, by API and by pages. `beside` may be a store next to the portal. */
export async function measureOn(
  home: Home,
  { visits, imported, hashSeconds }: Amount,
  beside: Store | undefined,
  after: AfterTurn = () => Promise.resolve(),
): Promise<Measured> {
  // More accounts than visits, since a few would fill no page of the database.
  const filled = await fill(home, imported, Math.max(visits, imported / 10));
  const portal = await home.startPortal({ ...LOOSE, TRUSTED_PROXIES: "127.0.0.1", SMS_NOTICES: "on" });
  const restMb = portal.residentMb();
  const options = { rounds: PRICE_ROUNDS, customers: visits, hashSeconds };
  const prices = await priceOfSignIn(portal, options);
  const turns = await takeTurns({ portal, store: beside }, visits, after);
  const loadMb = portal.residentMb();
  await portal.stop();
  const left = await withStore(home, async (store) => ({
    sizes: await tableBytes(store),
    rows: await rowsIn(store),
  }));

  const grown = (...tables: readonly string[]) => growth(filled.sizes, left.sizes, ...tables);
  const price = (of: (each: (typeof prices)[number]) => number) => mean(prices.map(of));
  const figures: DatabaseFigures = {
    hashMs: price(({ hash }) => hash),
    loginMs: price(({ login }) => login),
    apiSignInMs: price(({ whole }) => whole),
    codeSignInMs: turns.code.portalMs,
    trustedSignInMs: turns.trusted.portalMs,
    browsingMs: turns.browsing.portalMs,
    serverCodeMs: turns.code.server.cpuMs + turns.browsing.server.cpuMs,
    serverTrustedMs: turns.trusted.server.cpuMs + turns.browsing.server.cpuMs,
    restMb,
    loadMb,
    customerBytes: filled.customerBytes,
    accountBytes: filled.accountBytes,
    knownBrowserBytes: grown("known_browsers") / left.rows.known,
    trustedDeviceBytes: grown("trusted_devices") / left.rows.trusted,
    passingBytes: grown(...PASSING) / (SIGN_INS * visits),
    eventBytes: grown("audit_events", "audit_seals") / left.rows.events,
  };
  return { figures, turns };
}

/** Imports policyholders and makes accounts; returns the bytes of each, and the tables' `sizes` afterwards. */
async function fill(home: Home, imported: number, accounts: number) {
  const [empty, full] = await withStore(home, async (store): Promise<readonly [TableBytes, TableBytes]> => {
    const before = await tableBytes(store);
    await addPolicyholders(store, home.keyring, imported);
    return [before, await tableBytes(store)];
  });
  await seedCustomers(home, { customers: accounts, accounts });
  const sizes = await withStore(home, tableBytes);
  return {
    sizes,
    customerBytes: growth(empty, full, "customers", "policies") / imported,
    accountBytes: growth(full, sizes, "accounts") / accounts,
  };
}

/** How many rows the visits have left. */
async function rowsIn({ read }: Store) {
  const { rows } = await sql<{ known: string; trusted: string; events: string }>`
    select (select count(*) from known_browsers) as known, (select count(*) from trusted_devices) as trusted,
      (select count(*) from audit_events) as events`.execute(read);
  const { known, trusted, events } = rows[0] ?? {};
  return { known: Number(known), trusted: Number(trusted), events: Number(events) };
}

async function withStore<Value>(home: Home, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = await home.openStore();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
