/** A table in Markdown. */
export function markdownTable(heads: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...lines.map(line)].join("\n");
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|").replaceAll("{", "\\{");
}
