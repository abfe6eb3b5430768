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

/** The processors of this machine, and the version of Node. */
export function thisMachine(): string {
  return `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.versions.node}`;
}
