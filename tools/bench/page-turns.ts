import { load, type PageRequest, type Round } from "./page-load";
import { percentile } from "./percentile";
import type { Running } from "./process";

/** How long to measure each page. */
export interface Turns {
  readonly rounds: number;
  readonly seconds: number;
}

/** A server and the page that it is asked for. */
export interface Contestant {
  readonly server: Running;
  readonly page: PageRequest;
}

/** All rounds of one page together. */
export interface PageFigures {
  readonly pages: number;
  readonly perSecond: number;
  readonly cpuMsPerPage: number;
  /** Latencies of the median round, in ms. */
  readonly p50: number;
  readonly p99: number;
}

/** Enough for the compiler to have seen this page too. With fewer, the first page measured pays for all others. */
const WARMING_PAGES = 2000;
const TRIAL_PAGES = 100;
const LEAST_PAGES = 50;

/** Asks one and the other in turn, round by round, so that other work on the machine affects both. */
export async function takeTurns(
  one: Contestant,
  other: Contestant,
  { rounds, seconds }: Turns,
): Promise<readonly [PageFigures, PageFigures]> {
  const lanes = [await warmedUp(one, seconds), await warmedUp(other, seconds)] as const;
  for (let nth = 0; nth < rounds; nth += 1)
    for (const { contestant, amount, done } of lanes)
      done.push(await load(contestant.server, contestant.page, amount));
  return [summary(lanes[0].done), summary(lanes[1].done)];
}

/** A contestant's rounds, each of the same number of pages. */
interface Lane {
  readonly contestant: Contestant;
  readonly amount: number;
  readonly done: Round[];
}

/** Finds out how many pages take this long. */
async function warmedUp(contestant: Contestant, seconds: number): Promise<Lane> {
  const { server, page } = contestant;
  await load(server, page, WARMING_PAGES);
  const trial = await load(server, page, TRIAL_PAGES);
  const amount = Math.max(LEAST_PAGES, Math.round((trial.pages / trial.seconds) * seconds));
  return { contestant, amount, done: [] };
}

function summary(rounds: readonly Round[]): PageFigures {
  const total = (of: (round: Round) => number) => rounds.reduce((sum, round) => sum + of(round), 0);
  const median = (of: (round: Round) => number) => percentile(rounds.map(of), 50);
  const pages = total((round) => round.pages);
  return {
    pages,
    perSecond: pages / total(({ seconds }) => seconds),
    cpuMsPerPage: total(({ cpuMs }) => cpuMs) / pages,
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
  };
}
