import { tableLines } from "../../tests/table";

/** A bound for the figure itself or for its ratio to the floor. */
export interface Target {
  readonly of: "measured" | "ratio";
  readonly bound: "at most" | "at least";
  readonly value: number;
}

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly unit: "B" | "KB" | "MB" | "ms" | "µs" | "s" | "/s" | "";
  readonly measured: number;
  readonly target?: Target;
  /** The least work that is needed, measured on the same machine in the same run. */
  readonly floor?: { readonly value: number; readonly what: string };
  readonly note?: string;
}

/** Whether a row meets its target; empty for a row without one. */
export type Verdict = "ok" | "misses" | "";

/** The ratio to the floor; undefined if there is none to divide by. */
function ratioOf({ measured, floor }: Row): number | undefined {
  return floor === undefined || floor.value === 0 ? undefined : measured / floor.value;
}

/** Judges a row. */
export function verdictOf(row: Row): Verdict {
  const { target } = row;
  if (!target) return "";
  const value = target.of === "measured" ? row.measured : ratioOf(row);
  if (value === undefined) return "";
  return (target.bound === "at most" ? value <= target.value : value >= target.value) ? "ok" : "misses";
}

const HEADS = ["row", "measured", "target", "floor", "ratio", "", "floor is · note"];
const ALIGNMENTS = ["left", "right", "right", "right", "right", "left", "left"] as const;

/** Prints rows as a table. */
export function printTable(rows: readonly Row[]): void {
  console.log("");
  for (const line of tableLines(HEADS, rows.map(cellsOf), ALIGNMENTS)) console.log(line);
}

/** The cells of a row in the table, column by column. */
function cellsOf(row: Row): string[] {
  const { name, unit, measured, target, floor, note } = row;
  const ratio = ratioOf(row);
  const sign = target?.bound === "at most" ? "≤" : "≥";
  const isRatio = target?.of === "ratio";
  return [
    name,
    withUnit(measured, unit),
    target ? `${sign} ${isRatio ? `${inShort(target.value)} ×` : withUnit(target.value, unit)}` : "",
    floor ? withUnit(floor.value, unit) : "",
    ratio === undefined ? "" : `${inShort(ratio)} ×`,
    verdictOf(row),
    [floor?.what, note].filter((text) => text !== undefined).join(" · "),
  ];
}

function withUnit(value: number, unit: Row["unit"]): string {
  const digits = Number.isInteger(value) || value >= 1000 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`.trim();
}

/** A small ratio reads better as a fraction. */
function inShort(ratio: number): string {
  if (ratio < 0.1) return `1/${Math.round(1 / ratio)}`;
  return ratio.toFixed(ratio >= 10 ? 0 : 2);
}
