import type { PageKind } from "./page-kinds";
import type { PageFigures } from "./page-turns";
import type { Row } from "./row";

/** How the names of these rows begin: the plot looks them up. */
export const PAGES = "pages: ";
export const CPU = "processor time: ";
const INSTRUCTIONS = "instructions: ";

const MILLION = 1_000_000;
const WHAT = "Remix with one form on remix-serve";

/** The rows of one page beside the floor page. */
export function pageRows(
  { name, leastOfFloor, mostOfFloorTime }: PageKind,
  page: PageFigures,
  floor: PageFigures,
): readonly Row[] {
  return [
    {
      name: `${PAGES}${name}`,
      unit: "/s",
      measured: page.perSecond,
      ...(leastOfFloor !== undefined && {
        target: { of: "ratio", bound: "at least", value: leastOfFloor },
      }),
      floor: { value: floor.perSecond, what: WHAT },
      note: `p50 ${page.p50.toFixed(0)} ms, p99 ${page.p99.toFixed(0)} ms`,
    },
    {
      name: `${CPU}${name}`,
      unit: "ms",
      measured: page.cpuMsPerPage,
      ...(mostOfFloorTime !== undefined && {
        target: { of: "ratio", bound: "at most", value: mostOfFloorTime },
      }),
      floor: { value: floor.cpuMsPerPage, what: WHAT },
      ...(page.instructionsPerPage === undefined && { note: "no perf" }),
    },
    ...instructionRows(name, page, floor),
  ];
}

function instructionRows(name: string, page: PageFigures, floor: PageFigures): readonly Row[] {
  if (page.instructionsPerPage === undefined || floor.instructionsPerPage === undefined) return [];
  return [
    {
      name: `${INSTRUCTIONS}${name}`,
      unit: "M",
      measured: page.instructionsPerPage / MILLION,
      floor: { value: floor.instructionsPerPage / MILLION, what: WHAT },
    },
  ];
}
