import { type Kysely, sql } from "kysely";
import { type Clock, MINUTE, SECOND } from "~/platform/time.server";
import type { Log } from "~/platform/telemetry/log.server";
import { levels } from "~/platform/telemetry/metrics.server";
import { runRegularly } from "./upkeep.server";
import type { Reader, Store } from "../store/store.server";
import type { Tables } from "../store/tables.server";

const EVERY_MS = 30 * SECOND;
/** A portal whose last report is older has stopped. */
const STOPPED_MS = 2 * MINUTE;
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

const clockLevels = levels({
  ahead: {
    name: "portal_clock_ahead_seconds",
    help: "How far this process's clock is ahead of PostgreSQL's, at least; negative: behind; unknown on SQLite",
  },
});

/**
 * How far a clock is ahead of PostgreSQL's, at least (ms); negative if it is behind. A slow answer makes the figure
 * smaller, never larger.
 */
export async function clockAhead(db: Kysely<Tables>, clock: Clock): Promise<number> {
  const before = clock();
  const { rows } = await sql<{ now: number }>`select ${NOW} as now`.execute(db);
  const after = clock();
  return beyond((before + after) / 2 - (rows[0]?.now ?? NaN), (after - before) / 2);
}

/** The part of a difference that exceeds the measuring error. */
export function beyond(difference: number, error: number): number {
  return Math.sign(difference) * Math.max(0, Math.abs(difference) - error);
}

/**
 * Compares this portal's clock with the database's now and every half minute, shows the difference as a metric, and
 * stores it for `portal doctor`. SQLite has no clock of its own. Returns a function that stops it.
 * @param portal the portal's name, unique on its database
 */
export async function watchClock(
  { store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Log },
  portal: string,
): Promise<() => Promise<void>> {
  if (!store.read.isPostgres) return () => Promise.resolve();
  let ahead = NaN;
  let isFailing = false;
  clockLevels.feed(() => Promise.resolve({ ahead: ahead / SECOND }));
  const compare = async () => {
    ahead = NaN;
    ahead = await clockAhead(store.read, clock);
    await store.write((tx) => report(tx, portal, ahead));
    isFailing = false;
  };
  const onError = (error: unknown) => {
    if (!isFailing) log.warn({ err: error, event: "clock-not-compared" }, "clock");
    isFailing = true;
  };
  await compare().catch(onError);
  return runRegularly({ work: compare, everyMs: EVERY_MS, onError });
}

async function report(db: Kysely<Tables>, portal: string, ahead: number): Promise<void> {
  const values = { ahead_ms: Math.round(ahead), seen_at: NOW };
  await db
    .insertInto("portal_clocks")
    .values({ portal, ...values })
    .onConflict((conflict) => conflict.column("portal").doUpdateSet(values))
    .execute();
}

/** The clocks of the portals that run: their names, and how far each is ahead of the database's (ms). */
export function clocksOfPortals(db: Reader): Promise<readonly { portal: string; ahead_ms: number }[]> {
  return db
    .selectFrom("portal_clocks")
    .select(["portal", "ahead_ms"])
    .where("seen_at", ">", sql<number>`${NOW} - ${sql.lit(STOPPED_MS)}`)
    .orderBy("portal")
    .execute();
}
