import { writeFileSync } from "node:fs";
import { filledPage } from "./plot/fill-page";
import { pagePairs } from "./plot/page-pairs";
import { drawPlot } from "./plot/svg";
import { markdownTables } from "./plot/tables";
import { readReport, type Report } from "./report";
import { figuresIn, type SizingFigures } from "./sizing/figures";
import { sizingTables } from "./sizing/markdown";

const PICTURE = "docs/pictures/performance.svg";
const PERFORMANCE = "docs/performance.md";
const SIZING = "docs/operations/sizing.md";
/** The figures that the tables on sizing are calculated from. */
const SIZING_FIGURES = "docs/operations/sizing.json";

/** Puts the last run's figures into the pages that show them: those on performance, and those on sizing. */
export async function plot(): Promise<void> {
  const report = readReport();
  const sizing = figuresIn(report.rows);
  if (pagePairs(report).length > 0) await plotPerformance(report);
  if (sizing) await plotSizing(sizing);
  if (pagePairs(report).length === 0 && !sizing)
    console.log(`The run of ${report.at} measured neither pages nor sizing.`);
}

async function plotPerformance(report: Report): Promise<void> {
  writeFileSync(PICTURE, drawPlot(report));
  writeFileSync(PERFORMANCE, await filledPage(PERFORMANCE, { measured: markdownTables(report) }));
  console.log(`${PICTURE} and the tables of ${PERFORMANCE} show the run of ${report.at}.`);
}

async function plotSizing(figures: SizingFigures): Promise<void> {
  writeFileSync(SIZING_FIGURES, `${JSON.stringify(figures, undefined, 2)}\n`);
  writeFileSync(SIZING, await filledPage(SIZING, sizingTables(figures)));
  console.log(`The tables of ${SIZING} show the run of ${figures.at}.`);
}
