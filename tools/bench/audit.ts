import { sql } from "kysely";
import { lastEvents } from "~/backend/services/audit/find-events.server";
import { sealEvents } from "~/backend/services/audit/seal-events.server";
import { verifyAudit } from "~/operators/audit/verify-audit.server";
import type { Store } from "~/backend/store/store.server";
import { seedCustomers } from "./accounts";
import type { Thoroughness } from "./bench";
import { onPostgresAsOwner, onSqlite, type Home } from "./home";
import { withoutLimits } from "./looseness";
import { mean, percentile } from "./percentile";
import type { Row } from "./row";
import { priceOfSignIn } from "./sign-in-price";

const ACCOUNTS = 100_000;
const LOOK_UPS = 50;
const SHOWN = 50;
/** Two years. */
const SPAN_MS = 730 * 86_400_000;
const LOOSE = withoutLimits("ADDRESS_SIGN_INS_PER_10_MINUTES", "ADDRESS_CODES_PER_10_MINUTES");
const MOST_OF_UNSEALED = 1.03;
/** Filled in one statement, which may take three seconds. */
const BATCH = 50_000;

/** Reading and verifying a long audit, on both databases, and the cost of sealing to the sign-ins beside it. */
export async function benchAudit({ quick }: Thoroughness): Promise<readonly Row[]> {
  const sizes = quick ? { many: 1_000_000, verified: 100_000 } : { many: 10_000_000, verified: 1_000_000 };
  return [
    ...(await onSqlite((home) => rowsOn("SQLite", home, { ...sizes, mostMs: 300 }))),
    ...(await onPostgresAsOwner((home) => rowsOn("PostgreSQL", home, { ...sizes, mostMs: 100 }))),
    await sealingRow(quick),
  ];
}

interface Sizes {
  readonly many: number;
  readonly verified: number;
  /** The longest that reading the events of a customer may take, in ms. */
  readonly mostMs: number;
}

async function rowsOn(name: string, home: Home, { many, verified, mostMs }: Sizes): Promise<readonly Row[]> {
  const store = await home.openStore();
  try {
    await fill(store, 0, verified);
    await sealEvents(store, home.keyring, Date.now);
    const began = performance.now();
    const { findings } = await verifyAudit(store.read, home.keyring, "/nowhere");
    const verifiedIn = (performance.now() - began) / 1000;
    if (findings.length > 0) throw new Error(findings.join("; "));
    await fill(store, verified, many);
    const times = await timesOf(store);
    return [
      {
        name: `audit: ${verified} events verified on ${name}`,
        unit: "s",
        measured: verifiedIn,
        target: { of: "measured", bound: "at most", value: 30 },
      },
      {
        name: `audit: the last ${SHOWN} events of a customer among ${many} on ${name}`,
        unit: "ms",
        measured: Math.max(...times),
        target: { of: "measured", bound: "at most", value: mostMs },
        note: `slowest of ${LOOK_UPS} customers, each read for the first time; median ${percentile(times, 50).toFixed(1)} ms`,
      },
    ];
  } finally {
    await store.close();
  }
}

async function timesOf(store: Store): Promise<readonly number[]> {
  const times: number[] = [];
  for (let nth = 0; nth < LOOK_UPS; nth += 1) {
    const account = (nth * 7919) % ACCOUNTS;
    const began = performance.now();
    const events = await lastEvents(
      store.read,
      { accountId: `account-${account}`, subjects: [`customer-${account}`] },
      SHOWN,
    );
    times.push(performance.now() - began);
    if (events.length === 0) throw new Error("a customer has no events");
  }
  return times;
}

/** Adds events of many customers, the oldest first. */
async function fill(store: Store, from: number, to: number): Promise<void> {
  const [begin, step] = [Date.now() - SPAN_MS, Math.floor(SPAN_MS / 10_000_000)];
  for (let first = from; first < to; first += BATCH) {
    const last = Math.min(first + BATCH, to) - 1;
    const numbers = store.read.isPostgres
      ? sql`select n from generate_series(${sql.lit(first)}, ${sql.lit(last)}) as numbers (n)`
      : sql`with recursive numbers (n) as (select ${sql.lit(first)} union all select n + 1 from numbers
          where n < ${sql.lit(last)}) select n from numbers`;
    await store.write((tx) =>
      sql`insert into audit_events (id, happened_at, event, account_id, address, request_id, device_name)
        select 'event-' || n, ${sql.lit(begin)} + cast(n as bigint) * ${sql.lit(step)}, 'signed-in', 'account-' || (n % ${sql.lit(ACCOUNTS)}),
          '192.0.2.7', 'request-' || n, 'Firefox 128, Windows 10'
        from (${numbers}) as numbered`.execute(tx),
    );
  }
}

/** The cost of a sign-in while the audit is sealed every second, beside one while it is hardly ever sealed. */
async function sealingRow(quick: boolean): Promise<Row> {
  const customers = quick ? 30 : 100;
  const rounds = quick ? 2 : 8;
  return onSqlite((sealed) =>
    onSqlite(async (unsealed) => {
      for (const home of [sealed, unsealed]) await seedCustomers(home, { customers, accounts: customers });
      const often = await sealed.startPortal({ ...LOOSE, LIMIT_AUDIT_SEAL_SECONDS: "1" });
      const never = await unsealed.startPortal({ ...LOOSE, LIMIT_AUDIT_SEAL_SECONDS: "86400" });
      const [withSeals, without]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        const options = { rounds: 1, customers, hashSeconds: 0.1 };
        withSeals.push(...(await priceOfSignIn(often, options)).map(({ whole }) => whole));
        without.push(...(await priceOfSignIn(never, options)).map(({ whole }) => whole));
      }
      await Promise.all([often.stop(), never.stop()]);
      return {
        name: "audit: processor time of a sign-in while it is sealed every second",
        unit: "ms",
        measured: mean(withSeals),
        target: { of: "ratio", bound: "at most", value: MOST_OF_UNSEALED },
        floor: { value: mean(without), what: "the same without sealing" },
        note: `${rounds} rounds in turns`,
      } satisfies Row;
    }),
  );
}
