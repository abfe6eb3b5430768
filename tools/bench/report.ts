import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import type { Row, Verdict } from "./row";

/** The file in which the bench saves its report. */
export const REPORT = "test-results/bench.json";

/** Everything that one run has measured. */
export interface Report {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly quick: boolean;
  readonly seed: number;
  /** Processors and version of Node. */
  readonly machine: string;
  /** Load averages over a minute. */
  readonly load: string;
  readonly rows: readonly (Row & { readonly verdict: Verdict })[];
}

/** The last run's report. @throws Error if there is none */
export function readReport(): Report {
  return JSON.parse(readFileSync(REPORT, "utf8")) as Report;
}

/** The processors of this machine, and the version of Node. */
export function thisMachine(): string {
  return `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.versions.node}`;
}

/** When, where and how thoroughly it was measured, in one line. */
export function measuredOn({ at, quick, machine, load }: Report): string {
  const kind = quick ? "a quick run, so only a hint" : "a full run";
  return `Measured on ${at.slice(0, 10)}: ${machine}, load ${load}; ${kind}.`;
}
