/** How the columns of a table line up: text to the left, figures to the right. */
export type Alignment = "left" | "right";

/** The lines of a table: its heads, a rule, and the rows; a missing cell is empty. */
export function tableLines(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[],
): readonly string[] {
  const widths = heads.map((_, column) =>
    Math.max(...[heads, ...rows].map((cells) => [...(cells[column] ?? "")].length)),
  );
  const lineOf = (cells: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? "";
        return alignments[column] === "right" ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return [lineOf(heads), rule, ...rows.map(lineOf)];
}
