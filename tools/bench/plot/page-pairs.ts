import { CPU, PAGES } from "../page-rows";
import type { Report } from "../report";

/** Speed and price of one page. */
export interface PageFigure {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** A page of ours and the floor page in the same turns. */
export interface PagePair {
  readonly name: string;
  readonly ours: PageFigure;
  readonly floor: PageFigure;
  /** The least that ours must reach of the floor's pages a second. */
  readonly least: number;
}

/** The pages in a report; empty if that run did not measure them. */
export function pagePairs({ rows }: Report): readonly PagePair[] {
  return rows.flatMap((row) => {
    const name = row.name.startsWith(PAGES) ? row.name.slice(PAGES.length) : undefined;
    const cpu = rows.find((other) => name !== undefined && other.name === `${CPU}${name}`);
    if (name === undefined || !cpu?.floor || !row.floor || !row.target) return [];
    return [
      {
        name,
        ours: { perSecond: row.measured, cpuMs: cpu.measured },
        floor: { perSecond: row.floor.value, cpuMs: cpu.floor.value },
        least: row.target.value,
      },
    ];
  });
}
