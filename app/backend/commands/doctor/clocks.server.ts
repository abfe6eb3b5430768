import { sql } from "kysely";
import type { Limits } from "~/platform/config/limits";
import { SECOND } from "~/platform/time.server";
import { ANSWER_MS, ok, problem, warning, type Check, type Finding } from "./check.server";

/** Whether this machine and the database's agree on the time. */
export const databaseClock: Check = {
  name: "clock, beside the database's",
  needs: ["database"],
  run: async ({ database, clock, db, settings: { limits } }) => {
    if (database.kind === "sqlite") return ok("it is the same");
    const before = clock();
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db());
    return judge((rows[0]?.now ?? 0) - (before + clock()) / 2, limits);
  },
};

/** Whether this machine and the one that customers reach agree on the time. */
export const publicClock: Check = {
  name: "clock, beside PUBLIC_ORIGIN's",
  needs: [],
  run: async ({ settings: { PUBLIC_ORIGIN, limits }, clock }) => {
    if (PUBLIC_ORIGIN === undefined) return ok("not compared: PUBLIC_ORIGIN is not set");
    const before = clock();
    const date = await dateOf(PUBLIC_ORIGIN);
    if (Number.isNaN(date)) return ok("not compared: PUBLIC_ORIGIN did not say its time");
    // The header has whole seconds.
    return judge(date + SECOND / 2 - (before + clock()) / 2, limits);
  },
};

/** The time in an answer's `Date` header (ms), or NaN. The check of the certificate says why there is no answer. */
async function dateOf(origin: string): Promise<number> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { headers, body } = await fetch(`${origin}/healthz`, { redirect: "manual", signal });
    await body?.cancel();
    return Date.parse(headers.get("Date") ?? "");
  } catch {
    return Number.NaN;
  }
}

/** @param ms how far the other clock is ahead */
function judge(ms: number, limits: Limits): Finding {
  const off = Math.abs(ms);
  const seconds = `${(off / SECOND).toFixed(1)} s`;
  if (off < limits.DOCTOR_CLOCK_WARNING_MS) return ok(`they differ by ${seconds}`);
  const text = `they differ by ${seconds}: synchronise both (NTP), since codes and sessions depend on the time`;
  return off < limits.DOCTOR_CLOCK_PROBLEM_MS ? warning(text) : problem(text);
}
