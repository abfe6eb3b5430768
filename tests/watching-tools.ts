import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The programs that read what deploy/ has for watching the portal. */
type Tool = "promtool" | "amtool" | "mtail" | "prometheus-blackbox-exporter";

/** Whether a program is installed. `npm test` installs it if it may, and otherwise says loudly that it is missing. */
export function hasTool(tool: Tool): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, tool)));
}

/** What a program said: its exit code, and all that it wrote. */
export function runTool(tool: Tool, words: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(tool, words, { encoding: "utf8", input });
  return { code: status, output: stdout + stderr, stdout };
}
