import { getRaw, type RawAnswer } from "../../tests/raw-answer";
import { startBareServer } from "./bare";
import type { Thoroughness } from "./bench";
import { floorPage, startFloorPage } from "./floor-page";
import { pageKinds } from "./page-kinds";
import { load, SIGN_IN_PAGE } from "./page-load";
import { pageRows } from "./page-rows";
import { takeTurns, type Turns } from "./page-turns";
import { startPortal, VISITOR, withDataDir } from "./portal";
import type { Running } from "./process";
import type { Row } from "./row";

/** The most memory that a portal may hold, in MB. */
export const MOST_MB = 220;
/** The most that My Data may cost, as a multiple of My Policies. */
const MOST_OF_MY_POLICIES = 1.5;
/** Long enough for the memory needed at the start to be given back. */
const IDLE_MS = 3000;
/** A code screen must not expire before its turn. */
const PATIENT = { LIMIT_FLOW_SECONDS: "7200", LIMIT_SESSION_IDLE_SECONDS: "7200" };

/** Every kind of page beside the floor page, and the memory that pages leave behind. */
export async function benchPages({ quick }: Thoroughness): Promise<readonly Row[]> {
  const turns = quick ? { rounds: 2, seconds: 0.3 } : { rounds: 8, seconds: 1.5 };
  const { warmUp, leastPages } = quick
    ? { warmUp: 500, leastPages: 2000 }
    : { warmUp: 3000, leastPages: 20_000 };
  return withDataDir(async (dataDir) => {
    const portal = await startPortal(dataDir, PATIENT);
    const floor = await startFloorPage();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idle = memoryRow("memory: idle", portal, floor);
    for (const server of [portal, floor]) await load(server, SIGN_IN_PAGE, warmUp);
    const rows: Row[] = [await bareRow(portal, turns)];
    const cpuMs = new Map<string, number>();
    let pages = 0;
    for (const kind of await pageKinds(portal)) {
      const [figures, floorFigures] = await takeTurns(
        { server: portal, page: kind.page },
        { server: floor, page: floorPage(kind.encoding) },
        turns,
      );
      rows.push(...pageRows(kind, figures, floorFigures));
      cpuMs.set(kind.page.path, figures.cpuMsPerPage);
      pages += figures.pages;
    }
    rows.push(myDataRow(cpuMs));
    for (const server of [portal, floor])
      await load(server, SIGN_IN_PAGE, Math.max(leastPages - pages, leastPages / 10));
    rows.push(idle, memoryRow(`memory: after ${leastPages} pages and more`, portal, floor));
    await Promise.all([portal.stop(), floor.stop()]);
    return rows;
  });
}

/** How far the sign-in page is from doing nothing at all. */
async function bareRow(portal: Running, turns: Turns): Promise<Row> {
  const bare = await startBareServer(withoutTransport(await getRaw(portal.port, "/home", VISITOR)));
  const [own, nothing] = await takeTurns(
    { server: portal, page: SIGN_IN_PAGE },
    { server: bare, page: SIGN_IN_PAGE },
    turns,
  );
  await bare.stop();
  return {
    name: "GET /home beside no work at all",
    unit: "/s",
    measured: own.perSecond,
    floor: { value: nothing.perSecond, what: "bare node:http, same bytes" },
  };
}

/** The cost of My Data beside that of My Policies: it makes more calls. */
function myDataRow(cpuMs: ReadonlyMap<string, number>): Row {
  return {
    name: "processor time: GET /cp/profile beside GET /cp",
    unit: "ms",
    measured: cpuMs.get("/cp/profile") ?? Number.NaN,
    target: { of: "ratio", bound: "at most", value: MOST_OF_MY_POLICIES },
    floor: { value: cpuMs.get("/cp") ?? Number.NaN, what: "GET /cp" },
  };
}

function memoryRow(name: string, portal: Running, floor: Running): Row {
  return {
    name,
    unit: "MB",
    measured: portal.residentMb(),
    target: { of: "measured", bound: "at most", value: MOST_MB },
    floor: { value: floor.residentMb(), what: "Remix with one form, the same number of pages or more" },
  };
}

/** A page's bytes without the headers of the connection it came by. */
function withoutTransport({ headers, body }: RawAnswer): Pick<RawAnswer, "headers" | "body"> {
  const kept = Object.entries(headers).filter(
    ([name]) => !["connection", "keep-alive", "transfer-encoding", "date"].includes(name),
  );
  return { headers: Object.fromEntries(kept), body };
}
