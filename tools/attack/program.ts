import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { withEnding } from "./endings";

/** How a program ran. */
export interface ProgramEnd {
  /** Its output on both streams. */
  readonly output: string;
  /** Its exit code; null if a signal ended it, or if it could not be started. */
  readonly code: number | null;
  /** Whether it was stopped at its limit. */
  readonly isCutShort: boolean;
}

/** How long a program may run, and where its output goes. */
export interface ProgramLimits {
  readonly seconds: number;
  /** A file for everything it prints. */
  readonly outputFile: string;
  /** Added to our own variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The pause between the polite signal and the one that kills. */
const LAST_WORDS_MS = 4000;

/** Runs a program of an attacker to its end or its limit; it never outlives this process. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { seconds, outputFile, env = {} }: ProgramLimits,
): Promise<ProgramEnd> {
  // In a new process group, since some programs start children.
  const child = spawn(program, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", ({ message }) => {
      chunks.push(Buffer.from(message));
      resolve(null);
    });
    child.once("close", resolve);
  });
  let isCutShort = false;
  const timers = [
    setTimeout(() => {
      isCutShort = true;
      signalGroup(child, "SIGTERM");
    }, seconds * 1000),
    setTimeout(
      () => {
        signalGroup(child, "SIGKILL");
      },
      seconds * 1000 + LAST_WORDS_MS,
    ),
  ];
  const code = await withEnding(
    () => {
      for (const timer of timers) clearTimeout(timer);
      signalGroup(child, "SIGKILL");
    },
    () => ended,
  );
  const output = Buffer.concat(chunks).toString("utf8");
  mkdirSync(dirname(outputFile), { recursive: true });
  writeFileSync(outputFile, output);
  return { output, code, isCutShort };
}

/** A note if the program was stopped at its limit. */
export function cutShortNotes({ isCutShort }: ProgramEnd, seconds: number): readonly string[] {
  return isCutShort ? [`stopped at its limit of ${seconds} s`] : [];
}

/** Signals the group: the child and the processes that it started, and nothing else. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}
