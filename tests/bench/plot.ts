import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { drawPlot } from "./plot/svg";
import { markdownTables } from "./plot/tables";
import { readReport } from "./report";

const PICTURE = "docs/pictures/performance.svg";
const PAGE = "docs/performance.md";
const MEASURED = /(<!-- measured -->\n)[^]*?(<!-- end of measured -->)/;

/** Puts the last run's figures into docs/performance.md: its picture and its tables. */
export async function plot(): Promise<void> {
  const report = readReport();
  writeFileSync(PICTURE, drawPlot(report));
  const filled = readFileSync(PAGE, "utf8").replace(
    MEASURED,
    (_, begin: string, end: string) => `${begin}\n${markdownTables(report)}\n\n${end}`,
  );
  writeFileSync(PAGE, await format(filled, { ...(await resolveConfig(PAGE)), filepath: PAGE }));
  console.log(`${PICTURE} and the tables of ${PAGE} show the run of ${report.at}.`);
}
