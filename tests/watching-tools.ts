import { spawnSync } from "node:child_process";

/** The programs that read what deploy/ has for watching the portal. */
type Tool = "promtool" | "amtool" | "mtail" | "prometheus-blackbox-exporter";

/** What a program said: its exit code, and all that it wrote. */
export function runTool(tool: Tool, words: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(tool, words, { encoding: "utf8", input });
  return { code: status, output: stdout + stderr, stdout };
}
