import { startBareServer } from "./bare";
import type { Thoroughness } from "./bench";
import { CONNECTIONS, load, type Round } from "./page-load";
import { percentile } from "./percentile";
import { startPortal, VISITOR, withDataDir } from "./portal";
import { getRaw, type RawAnswer } from "../raw-answer";
import type { Row } from "./row";

/** What a prototype with everything on the server reached; to be beaten. */
const SPIKE = 1 / 60;
const MOST_MB = 200;
/** Long enough for the memory needed at the start to be given back. */
const IDLE_MS = 3000;

/**
 * Login pages on ten connections, and the memory they leave behind. Portal and floor take turns, so other work on
 * the machine affects both.
 */
export async function benchPages({ quick }: Thoroughness): Promise<readonly Row[]> {
  const { rounds, pages, warmUp } = quick
    ? { rounds: 4, pages: 500, warmUp: 300 }
    : { rounds: 20, pages: 1000, warmUp: 1000 };
  return withDataDir(async (dataDir) => {
    const portal = await startPortal(dataDir);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idleMb = portal.residentMb();
    const bare = await startBareServer(withoutTransport(await getRaw(portal.port, "/home", VISITOR)));
    const bareIdleMb = bare.residentMb();
    await load(portal, warmUp);
    await load(bare, warmUp);
    const measured: Round[] = [];
    const floor: Round[] = [];
    for (let nth = 0; nth < rounds; nth += 1) {
      measured.push(await load(portal, pages));
      floor.push(await load(bare, pages));
    }
    const usedMb = portal.residentMb();
    const bareUsedMb = bare.residentMb();
    await Promise.all([portal.stop(), bare.stop()]);
    return [
      ...rowsOfLoad(summary(measured), summary(floor)),
      memoryRow("memory: idle", idleMb, bareIdleMb),
      memoryRow(`memory: after ${rounds * pages} pages`, usedMb, bareUsedMb),
    ];
  });
}

/** All rounds of a server together; the latencies are those of the median round. */
function summary(rounds: readonly Round[]) {
  const total = (of: (round: Round) => number) => rounds.reduce((sum, round) => sum + of(round), 0);
  const pages = total((round) => round.pages);
  return {
    perSecond: pages / total(({ seconds }) => seconds),
    cpuMsPerPage: total(({ cpuMs }) => cpuMs) / pages,
    p50: percentile(
      rounds.map(({ p50 }) => p50),
      50,
    ),
    p99: percentile(
      rounds.map(({ p99 }) => p99),
      50,
    ),
  };
}

function rowsOfLoad(portal: ReturnType<typeof summary>, bare: ReturnType<typeof summary>): readonly Row[] {
  const what = "bare node:http, same bytes";
  const under = `${CONNECTIONS} connections, always busy`;
  return [
    {
      name: "pages: GET /home",
      unit: "/s",
      measured: portal.perSecond,
      target: { of: "ratio", bound: "at least", value: SPIKE },
      floor: { value: bare.perSecond, what },
      note: under,
    },
    {
      name: "pages: processor time each",
      unit: "ms",
      measured: portal.cpuMsPerPage,
      floor: { value: bare.cpuMsPerPage, what },
    },
    { name: "pages: p50", unit: "ms", measured: portal.p50, floor: { value: bare.p50, what }, note: under },
    { name: "pages: p99", unit: "ms", measured: portal.p99, floor: { value: bare.p99, what }, note: under },
  ];
}

function memoryRow(name: string, measured: number, bare: number): Row {
  return {
    name,
    unit: "MB",
    measured,
    target: { of: "measured", bound: "at most", value: MOST_MB },
    floor: { value: bare, what: "bare node:http, the same pages" },
  };
}

/** A page's bytes without the headers of the connection it came by. */
function withoutTransport({ headers, body }: RawAnswer): Pick<RawAnswer, "headers" | "body"> {
  const kept = Object.entries(headers).filter(
    ([name]) => !["connection", "keep-alive", "transfer-encoding", "date"].includes(name),
  );
  return { headers: Object.fromEntries(kept), body };
}
