import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { benchDearest } from "./dearest";
import { benchDocuments } from "./documents";
import { benchFloods } from "./floods";
import { benchImport } from "./import";
import { benchKnownUnknown } from "./known-unknown";
import { benchPages } from "./pages";
import { printTable, verdictOf, type Row } from "./row";
import { benchSignIns, benchSignInsOnPostgres } from "./sign-ins";
import { benchSizing } from "./sizing";
import { benchStart } from "./start";
import { benchWeight } from "./weight";

/** How thorough a run is. */
export interface Thoroughness {
  /** Much shorter, but noisier. */
  readonly quick: boolean;
}

/** What to measure: groups by name, and how thoroughly. */
export interface BenchOptions extends Thoroughness {
  readonly groups: readonly string[];
}

/** Measures one group of rows; everything it starts has ended when it resolves. */
type Group = (thoroughness: Thoroughness) => Promise<readonly Row[]>;

const GROUPS: Readonly<Record<string, Group>> = {
  weight: benchWeight,
  start: benchStart,
  pages: benchPages,
  dearest: benchDearest,
  "sign-ins": benchSignIns,
  floods: benchFloods,
  "known-unknown": benchKnownUnknown,
  documents: benchDocuments,
  import: benchImport,
  "postgres-sign-ins": benchSignInsOnPostgres,
  sizing: benchSizing,
};

const REPORT = "test-results/bench.json";

/** Runs groups one by one, prints a table of each, and saves all as `test-results/bench.json`. */
export async function bench({ quick, groups }: BenchOptions): Promise<void> {
  const began = performance.now();
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.versions.node}`;
  const loadBefore = load();
  const rows: Row[] = [];
  for (const name of groups) {
    const group = GROUPS[name];
    if (!group) throw new Error(`unknown group ${name}`);
    const groupBegan = performance.now();
    process.stdout.write(`· ${name} … `);
    const measured = await group({ quick });
    console.log(`${seconds(groupBegan)} s`);
    printTable(measured); // at once: a later group may fail
    rows.push(...measured);
  }
  const load1 = `${loadBefore} before, ${load()} after`;
  console.log(
    `\n${machine}. Load of the machine (1 min): ${load1}. Took ${seconds(began)} s. KB = 1024 bytes.`,
  );
  mkdirSync("test-results", { recursive: true });
  const report = {
    at: new Date().toISOString(),
    quick,
    machine,
    load: load1,
    rows: rows.map((row) => ({ ...row, verdict: verdictOf(row) })),
  };
  writeFileSync(REPORT, `${JSON.stringify(report, undefined, 2)}\n`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
