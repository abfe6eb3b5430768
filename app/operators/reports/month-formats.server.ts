import { stringify } from "csv-stringify/sync";
import { FIGURES, type Figures, type MonthReport } from "./month-report.server";

/** A report as a table for people: a line for each figure, a column for each week. */
export function monthInWords({ month, weeks, total, accounts, notKnown }: MonthReport): readonly string[] {
  const columns = [...weeks.map(({ firstDay, lastDay }) => weekInWords(firstDay, lastDay)), "month"];
  const counts = (name: keyof Figures) => [...weeks.map(({ figures }) => figures[name]), total[name]];
  const states = Object.entries(accounts.now).map(([state, count]) => `${count} ${state}`);
  return [
    `Month ${month}, weeks from Monday to Sunday in Polish time`,
    "",
    row("", columns),
    ...FIGURES.map((name) => row(name, counts(name).map(String))),
    "",
    `Accounts registered by the end of the month, without those erased since: ${accounts.atEnd}`,
    `Accounts now: ${states.join(", ") || "none"}; ${accounts.withFactorsNow} with a second factor`,
    ...notKnown.map((sentence) => `Not known: ${sentence}`),
  ];
}

const WIDEST_FIGURE = Math.max(...FIGURES.map(({ length }) => length));
const COLUMN = 8;

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(WIDEST_FIGURE) + cells.map((cell) => cell.padStart(COLUMN)).join("");
}

/** "02–08", or "01" for a week of one day. */
function weekInWords(firstDay: string, lastDay: string): string {
  const [first, last] = [firstDay, lastDay].map((day) => day.slice("YYYY-MM-".length));
  return first === last ? `${first}` : `${first}–${last}`;
}

/**
 * A report for a spreadsheet: a line for each week, then one for the whole month. The columns are the same in every
 * month.
 */
export function monthAsCsv({ weeks, total }: MonthReport): string {
  const [first, last] = [weeks[0], weeks.at(-1)];
  const lines = [
    ...weeks.map((week) => ({ of: "week", ...week })),
    ...(first && last
      ? [{ of: "month", firstDay: first.firstDay, lastDay: last.lastDay, figures: total }]
      : []),
  ];
  return stringify(
    lines.map(({ of, firstDay, lastDay, figures }) => ({ of, from: firstDay, to: lastDay, ...figures })),
    // Excel reads a file without it as Windows-1250.
    { bom: true, header: true },
  );
}
