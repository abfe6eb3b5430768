import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A command's output and exit code. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a built command as an operator would, with these variables, arguments and input. */
export function runCommand(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  input = "",
): CommandResult {
  return runProgram("node", [join("build", "portal"), ...words], env, input);
}

/** Runs a program in the repository's folder, `npm` for example. */
export function runProgram(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input = "",
): CommandResult {
  const { status, stdout, stderr } = spawnSync(program === "node" ? process.execPath : program, words, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production", ...env },
    encoding: "utf8",
    input,
  });
  return { code: status, stdout, stderr };
}
