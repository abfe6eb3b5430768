import { writeFileSync, mkdirSync } from "node:fs";
import { hasPostgres } from "../../tests/postgres-server";
import { campaign, customersFor, describeFinding } from "./campaign";
import { Canaries } from "./canaries";
import { onGround, type GroundKind } from "./ground";
import { Tally } from "./tally";

/** How many requests in all, and the seed that repeats them. */
export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
}

const MS = 1000;
const LOG_FOLDER = "test-results/fuzz";

/** Sends the requests, half to each database, prints the results, and returns whether all was well. */
export async function fuzz({ requests, seed }: FuzzOptions): Promise<boolean> {
  const kinds: readonly GroundKind[] = hasPostgres ? ["SQLite", "PostgreSQL"] : ["SQLite"];
  if (!hasPostgres) console.log("There is no PostgreSQL here, so everything goes to a portal on SQLite.");
  const all = new Tally();
  const problems: string[] = [];
  mkdirSync(LOG_FOLDER, { recursive: true });
  for (const [nth, kind] of kinds.entries()) {
    const share = Math.ceil(requests / kinds.length);
    const began = performance.now();
    const { tally, findings, memory } = await onGround(kind, customersFor(share), async (ground) => {
      const canaries = new Canaries();
      const result = await campaign({ ground, canaries, requests: share, seed: seed + nth * share });
      writeFileSync(`${LOG_FOLDER}/${kind}.log`, ground.portal.log());
      return result;
    });
    all.addAll(tally);
    problems.push(...findings.map((finding) => `${kind}: ${describeFinding(finding)}`));
    const seconds = Math.round((performance.now() - began) / MS);
    const megabytes = `${memory.beforeMb.toFixed(0)} MB before, ${memory.afterMb.toFixed(0)} MB after`;
    console.log(`${kind}: ${tally.requests} requests in ${seconds} s; the portal's memory: ${megabytes}`);
  }
  problems.push(...all.unreached().map((name) => `✗ not reached: ${name}`));
  console.log(`\n${all.table()}\n`);
  for (const problem of problems) console.log(problem);
  console.log(`${all.requests} requests, ${problems.length} problems (FUZZ_SEED=${seed} repeats them)`);
  return problems.length === 0;
}
