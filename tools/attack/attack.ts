import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { CAN_START } from "../../tests/topology/topology";
import { attackAtOnce } from "./at-once";
import { attackCookies } from "./cookies";
import { attackWithDocuments } from "./documents";
import { endOnSignals } from "./endings";
import { FFUF_AIMS } from "./ffuf";
import { attackWithFloods } from "./floods";
import { attackByForcedBrowsing } from "./forced-browsing";
import { attackWithTool } from "./known-tools";
import { NMAP_AIM } from "./nmap";
import { exitCodeOf, notRun, reportLines, type Outcome } from "./outcome";
import { wordsOf, type Attack, type Run } from "./place";
import { attackWithSlowhttptest } from "./slowhttptest";
import { SQLMAP_AIMS } from "./sqlmap";
import { attackTiming } from "./timing";
import { WAPITI_AIMS } from "./wapiti";

/** Which attacks to run, and how. */
export interface AttackOptions extends Pick<Run, "quick"> {
  readonly names: readonly string[];
  /** Programs that couldn't be installed. */
  readonly missing: readonly string[];
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  sqlmap: attackWithTool("sqlmap", [{ aims: SQLMAP_AIMS }]),
  wapiti: attackWithTool("wapiti", [{ aims: WAPITI_AIMS }]),
  slowhttptest: attackWithSlowhttptest,
  nmap: attackWithTool("nmap", [{ aims: [NMAP_AIM] }]),
  ffuf: attackWithTool("ffuf", FFUF_AIMS),
  "at-once": attackAtOnce,
  floods: attackWithFloods,
  documents: attackWithDocuments,
  timing: attackTiming,
  "forced-browsing": attackByForcedBrowsing,
  cookies: attackCookies,
};

/** Where the reports of the last run are; git ignores it. */
const REPORTS = "attack-reports";

/**
 * Runs attacks one after the other, each against a topology of its own on 127.0.0.1, and prints one table.
 * @returns the exit code: 1 if anything was found, or not run
 */
export async function attack({ quick, names, missing }: AttackOptions): Promise<0 | 1> {
  endOnSignals();
  const began = performance.now();
  const loadBefore = load();
  const outcomes: Outcome[] = [];
  for (const name of names) {
    const reports = `${REPORTS}/${name}`;
    rmSync(reports, { recursive: true, force: true });
    mkdirSync(reports, { recursive: true });
    const groupBegan = performance.now();
    console.log(`· ${name} …`);
    const ended = await runGroup(name, { quick, reports }, missing);
    console.log(`  ${secondsSince(groupBegan)} s: ${ended.map(({ kind }) => kind).join(", ")}`);
    outcomes.push(...ended);
  }
  const lines = [
    ...reportLines(outcomes),
    `Took ${secondsSince(began)} s. Load of the machine (1 min): ${loadBefore} before, ${load()} after.`,
    `Reports: ${REPORTS}/.`,
  ];
  for (const line of lines) console.log(line);
  writeFileSync(`${REPORTS}/table.txt`, `${lines.join("\n")}\n`);
  return exitCodeOf(outcomes);
}

async function runGroup(name: string, run: Run, missing: readonly string[]): Promise<readonly Outcome[]> {
  const group = ATTACKS[name];
  if (!group) throw new Error(`unknown attack ${name}`);
  if (missing.includes(name)) return [notRun(name, `${name} is not installed`)];
  if (!CAN_START) return [notRun(name, "nginx or PostgreSQL is missing")];
  return group(run).catch((error: unknown) => [notRun(name, wordsOf(error))]);
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}
