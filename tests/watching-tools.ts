import { spawnSync } from "node:child_process";

/** The programs that read the files in deploy/ for watching the portal. */
type Tool = "promtool" | "amtool" | "mtail" | "prometheus-blackbox-exporter";

/** Runs a program; returns its exit code and output. */
export function runTool(tool: Tool, words: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(tool, words, { encoding: "utf8", input });
  return { code: status, output: stdout + stderr, stdout };
}
