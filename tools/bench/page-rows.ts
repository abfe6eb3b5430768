import type { PageKind } from "./page-kinds";
import type { PageFigures } from "./page-turns";
import type { Row } from "./row";

const WHAT = "Remix with one form on remix-serve";

/** The rows of one page beside the floor page. */
export function pageRows(
  { name, leastOfFloor, mostOfFloorTime }: PageKind,
  page: PageFigures,
  floor: PageFigures,
): readonly Row[] {
  return [
    {
      name: `pages: ${name}`,
      unit: "/s",
      measured: page.perSecond,
      ...(leastOfFloor !== undefined && {
        target: { of: "ratio", bound: "at least", value: leastOfFloor },
      }),
      floor: { value: floor.perSecond, what: WHAT },
      note: `p50 ${page.p50.toFixed(0)} ms, p99 ${page.p99.toFixed(0)} ms`,
    },
    {
      name: `processor time: ${name}`,
      unit: "ms",
      measured: page.cpuMsPerPage,
      ...(mostOfFloorTime !== undefined && {
        target: { of: "ratio", bound: "at most", value: mostOfFloorTime },
      }),
      floor: { value: floor.cpuMsPerPage, what: WHAT },
    },
  ];
}
