import { availableParallelism, cpus } from "node:os";

/** The processors of this machine, and the version of Node. */
export function thisMachine(): string {
  return `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.versions.node}`;
}
