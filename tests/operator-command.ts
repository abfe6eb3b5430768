import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runCommand as runInProcess } from "~/operators/program.server";
import { built } from "./built";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The operator of the commands in tests, and the reason. */
export const ACT = ["--operator", "ewa.z", "--reason", "call 1234"] as const;
/** The same in the audit. */
export const BY_EWA = { operator: "ewa.z", reason: "call 1234" };

/** A build's id: its commit, or a hash of its sources. */
export const BUILD_ID = /^([\da-f]{12}|sources-[\da-f]{12})$/;

/** A command's output and exit code. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command with these variables, arguments and input, in this process: starting one takes ten times as long as
 * most commands. `runBuiltCommand` is for what only a process shows.
 */
export async function runCommand(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  input = "",
): Promise<CommandResult> {
  const printed = { stdout: "", stderr: "" };
  const code = await runInProcess(
    words,
    {
      input: Readable.from(input === "" ? [] : [Buffer.from(input)]),
      print: (line) => (printed.stdout += `${line}\n`),
      printError: (line) => (printed.stderr += `${line}\n`),
      out: new Writable({
        write(chunk: Buffer, _encoding, done) {
          printed.stdout += chunk.toString("utf8");
          done();
        },
      }),
    },
    { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
  );
  return { code, ...printed };
}

/** Runs a built command in a process of its own, as an operator does. */
export function runBuiltCommand(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  input = "",
): CommandResult {
  return runProgram("node", [built("portal"), ...words], env, input);
}

/** Whether there is a program that gives a command a terminal; it belongs to util-linux. */
export const HAS_TERMINAL = spawnSync("script", ["--version"]).status === 0;

/** Runs a built command as `runBuiltCommand` does, on a terminal that shows both of its outputs. */
export function runOnTerminal(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): CommandResult {
  const quoted = [process.execPath, built("portal"), ...words].map((word) => `'${word}'`).join(" ");
  return runProgram("script", ["--quiet", "--return", "--command", quoted, "/dev/null"], env);
}

/** A command that runs while a test goes on. */
interface StartedCommand {
  /** Its exit code is null if it was killed. */
  readonly ended: Promise<CommandResult>;
  /** Standard input; it stays open until it is ended. */
  readonly input: Writable;
  readonly kill: (signal?: NodeJS.Signals) => void;
}

/** Starts a built command with these variables and arguments. */
export function startCommand(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): StartedCommand {
  const child = spawn(process.execPath, [built("portal"), ...words], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production", ...env },
    stdio: "pipe",
  });
  // A killed process reads no more.
  child.stdin.on("error", () => undefined);
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    ended: once(child, "exit").then(async ([code]: (number | null)[]) => {
      const [stdout, stderr] = await outputs;
      return { code: code ?? null, stdout, stderr };
    }),
    input: child.stdin,
    kill: (signal = "SIGKILL") => void child.kill(signal),
  };
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
