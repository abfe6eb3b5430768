import type { DatabaseSettings } from "~/platform/config/database-settings.server";
import type { Environment } from "~/platform/config/environment.server";
import { withTimeout } from "~/platform/lifecycle/process.server";
import { type Clock, SECOND } from "~/platform/time.server";
import { reasonOf } from "~/platform/lifecycle/operator-errors.server";
import type { Reader } from "../store/store.server";

/** How long a check may take. */
const CHECK_MS = 5 * SECOND;

/** The result of a check, in one line. Unless all is well, the line also says what to do. */
export interface Finding {
  readonly level: "ok" | "warning" | "problem";
  readonly text: string;
}

interface Installation {
  readonly settings: Environment;
  readonly database: DatabaseSettings;
  readonly clock: Clock;
  /** Opens the database with the serving role's rights, without migrating. @throws StartRefusal */
  readonly db: () => Reader;
}

/** A check of `portal doctor`. */
export interface Check {
  readonly name: string;
  /** The kind of backend that it applies to; both, if omitted. */
  readonly only?: "embedded" | "attached";
  /** Names of earlier checks. After a problem in one of them, this check is skipped: it would only repeat it. */
  readonly needs?: readonly string[];
  /** A failure counts as a problem. */
  readonly run: (installation: Installation) => Finding | Promise<Finding>;
}

/** A check's name and its result. */
export interface CheckResult extends Finding {
  readonly name: string;
}

/** All is well. */
export const ok = (text: string): Finding => ({ level: "ok", text });
/** Customers are served, but an operator should act. */
export const warning = (text: string): Finding => ({ level: "warning", text });
/** Customers are not served, or not safely. */
export const problem = (text: string): Finding => ({ level: "problem", text });

/** Runs the checks one after the other. Never throws. */
export async function runChecks(
  checks: readonly Check[],
  installation: Installation,
  checkMs = CHECK_MS,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, needs = [], run } of checks) {
    const isGood = (needed: string) =>
      results.some((result) => result.name === needed && result.level !== "problem");
    if (needs.every(isGood)) results.push({ name, ...(await runOne(run, installation, checkMs)) });
  }
  return results;
}

async function runOne(run: Check["run"], installation: Installation, checkMs: number): Promise<Finding> {
  try {
    const finding = await withTimeout(checkMs, Promise.resolve(run(installation)));
    return finding ?? problem(`no answer within ${checkMs / 1000} s`);
  } catch (error) {
    return problem(reasonOf(error));
  }
}
