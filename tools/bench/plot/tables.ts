import { measuredOn, type Report } from "../report";
import { cellsOf, ratioOf } from "../row";
import { markdownTable } from "./markdown-table";
import { pagePairs } from "./page-pairs";

/** Rows that the page on performance shows besides the pages, by how their names begin. */
const OTHERS = [
  "sign-ins: processor",
  "PostgreSQL: sign-ins: processor",
  "dearest",
  "memory",
  "start",
  "login page: ",
];
/** Also shown, although its name begins like those of rows that are not. */
const PAGE_DURING_SIGN_INS = /^(PostgreSQL: )?sign-ins: p99 /;

/** A report as Markdown: a table of pages, and one of everything else that is promised. */
export function markdownTables(report: Report): string {
  return [measuredOn(report), pagesTable(report), othersTable(report)].join("\n\n");
}

function pagesTable(report: Report): string {
  const lines = pagePairs(report).map(({ name, ours, floor, least }) => [
    name,
    ours.perSecond.toFixed(0),
    floor.perSecond.toFixed(0),
    (ours.perSecond / floor.perSecond).toFixed(2),
    `≥ ${least}`,
    ours.cpuMs.toFixed(2),
    floor.cpuMs.toFixed(2),
  ]);
  return markdownTable(["page", "pages/s", "floor page", "ratio", "target", "CPU ms", "floor page"], lines);
}

function othersTable({ rows }: Report): string {
  const shown = rows.filter(
    ({ name }) => OTHERS.some((start) => name.startsWith(start)) || PAGE_DURING_SIGN_INS.test(name),
  );
  const lines = shown.map((row) => {
    const [name = "", measured = "", target = "", floor = ""] = cellsOf(row);
    return [name, measured, target, floor, ratioOf(row)?.toFixed(2) ?? "", row.floor?.what ?? ""];
  });
  return markdownTable(["", "measured", "target", "floor", "ratio", "floor is"], lines);
}
