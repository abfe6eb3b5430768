import type { Limits } from "~/platform/config/limits";
import { SECOND } from "~/platform/time.server";
import { beyond, clocksOfPortals } from "../jobs/portal-clocks.server";
import { type Check, type Finding, ok, problem, warning } from "./check.server";

const SYNCHRONISE = "synchronise them (NTP), since codes and sessions depend on the time";

/** The clocks of all portals, as each has compared its own with the database's. */
export const CLOCKS_OF_PORTALS: Check = {
  name: "clocks of portals",
  only: "embedded",
  needs: ["tables"],
  run: async ({ database, db, settings: { limits } }) => {
    if (database.kind === "sqlite") return ok("SQLite has no clock of its own");
    const clocks = await clocksOfPortals(db());
    if (clocks.length === 0) return warning("no portal has told its time in the last 2 minutes: none runs");
    const text = clocks.map(({ portal, ahead_ms }) => `${portal} ${signedSeconds(ahead_ms)}`).join(", ");
    const worst = Math.max(...clocks.map(({ ahead_ms }) => Math.abs(ahead_ms)));
    if (worst < limits.DOCTOR_CLOCK_WARNING_MS) return ok(`beside the database's: ${text}`);
    const advice = `beside the database's: ${text}: ${SYNCHRONISE}`;
    return worst < limits.DOCTOR_CLOCK_PROBLEM_MS ? warning(advice) : problem(advice);
  },
};

/** In tenths of a second; what rounds to none is `+0.0 s`, never `-0.0 s`. */
function signedSeconds(ms: number): string {
  const tenths = Math.round((ms / SECOND) * 10) / 10;
  return `${tenths < 0 ? "-" : "+"}${Math.abs(tenths).toFixed(1)} s`;
}

/**
 * How far the clock behind a `Date` header is ahead (ms), as far as that is certain: the header has whole seconds.
 * @param before when it was asked for
 * @param after when it came
 */
export function aheadBy(date: number, before: number, after: number): number {
  return beyond(date + SECOND / 2 - (before + after) / 2, SECOND / 2 + (after - before) / 2);
}

/** @param ms how far the other clock is ahead */
export function clockFinding(ms: number, limits: Limits): Finding {
  const off = Math.abs(ms);
  const seconds = `${(off / SECOND).toFixed(1)} s`;
  if (off < limits.DOCTOR_CLOCK_WARNING_MS) return ok(`they differ by ${seconds}`);
  const text = `they differ by ${seconds}: synchronise both (NTP), since codes and sessions depend on the time`;
  return off < limits.DOCTOR_CLOCK_PROBLEM_MS ? warning(text) : problem(text);
}
