import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { Command } from "@commander-js/extra-typings";
import { setTimeout as wait } from "node:timers/promises";
import { syncPath } from "~/platform/files/durable-files.server";
import type { Needs } from "~/platform/config/command-needs.server";
import { jsonText, replaceControls } from "~/platform/terminal-text";
import { LONGEST_TIMER_MS, SECOND } from "~/platform/time.server";
import { reasonOf, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { factLines } from "./print-facts.server";

/**
 * Makes a file or folder that appears complete or not at all; of two simultaneous runs, one makes it. An interrupted
 * run leaves its draft in a folder beside it. The operator must delete that, because another run may be using it.
 * @param write makes the draft, synced to disk; if it fails, the draft is deleted
 * @throws UsageError if the output or a draft of it exists, or its folder doesn't; and whatever `write` throws
 */
export async function makeOutput(asked: string, write: (draft: string) => Promise<void>): Promise<void> {
  if (asked === "") throw new UsageError("--output: expected a path");
  const output = resolve(asked);
  const folder = dirname(output);
  refuseExisting(output);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--output: ${folder} is not a folder`);
  const drafts = `${output}.portal-draft`;
  claim(drafts);
  try {
    // Another run may have made it just before this one claimed it.
    refuseExisting(output);
    const draft = join(drafts, basename(output));
    await write(draft);
    renameSync(draft, output);
  } finally {
    rmSync(drafts, { recursive: true, force: true });
  }
  syncPath(folder);
}

function refuseExisting(output: string): void {
  if (existsSync(output)) throw new UsageError(`--output: ${output} exists already`);
}

/** Makes a folder that only one run can make. */
function claim(drafts: string): void {
  try {
    mkdirSync(drafts, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw new UsageError(`--output: ${drafts} is left from an interrupted run, or in use: delete it first`);
  }
}

/** The streams of a command. */
export interface Output {
  /** Standard input, for options whose value is `-`. */
  readonly input: Readable;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** For long output, written as fast as the reader takes it. */
  readonly out: Writable;
  /** The error output, if it is a terminal. */
  readonly terminal?: Terminal | undefined;
}

/** Prints a command's facts: a line for each, or with `--json` one object on one line. @param notes advice about the facts */
export function report(
  output: Output,
  json: true | undefined,
  facts: object,
  notes: readonly string[] = [],
): void {
  const told = notes.length === 0 ? facts : { ...facts, notes };
  reportInWords(output, json, told, factLines(told));
}

/** Prints facts in words of their own, or with `--json` one object on one line. */
export function reportInWords(
  output: Output,
  json: true | undefined,
  facts: object,
  lines: readonly string[],
): void {
  if (json) output.print(jsonText(facts));
  else for (const line of lines) output.print(replaceControls(line));
}

/** A terminal that a person is watching. */
export interface Terminal {
  write(text: string): unknown;
}

/** A line on a terminal that shows a command's progress. */
interface Progress {
  /** Removes the line, so that something else can be printed. It comes back by itself. */
  readonly clear: () => void;
  /** Removes the line for good. */
  readonly end: () => void;
}

const EVERY_MS = 1000;
/** Moves the cursor to the start of the line, and clears it. */
const EMPTIED = "\r\u001B[2K";

/** Reports the progress of the work in a few words. */
export type Say = (soFar: string) => void;

/** Runs work, and shows its last report. */
export async function withProgress<Value>(
  terminal: Terminal | undefined,
  work: (say: Say) => Promise<Value>,
): Promise<Value> {
  let last = "";
  const progress = showProgress(terminal, () => last);
  try {
    return await work((soFar) => {
      last = soFar;
    });
  } finally {
    progress.end();
  }
}

/** Shows a line and rewrites it every second. Without a terminal it shows nothing, because it would fill up a log. */
export function showProgress(terminal: Terminal | undefined, text: () => string): Progress {
  if (!terminal) return { clear: () => undefined, end: () => undefined };
  const timer = setInterval(() => terminal.write(EMPTIED + text()), EVERY_MS);
  const clear = () => void terminal.write(EMPTIED);
  return {
    clear,
    end: () => {
      clearInterval(timer);
      clear();
    },
  };
}

/** How a command ends: it did what was asked; it failed or found something wrong; it was called wrongly. */
export const EXIT = { done: 0, problem: 1, usage: 2 } as const;

/** An exit code of a command. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The work of a command: it prints, and returns the exit code. @throws UsageError, StartRefusal */
export type Work<Words extends readonly unknown[]> = (output: Output, ...words: Words) => Promise<ExitCode>;

/**
 * Turns a command's work into an action of the program, which keeps the exit code. The command is refused if a variable
 * that its work needs is missing or wrong; no other can stop it, nor be read by it.
 * @param needs a function if they depend on the command's words; "unchecked": the work reads all variables, and says itself what is wrong with them
 */
export type Runs = <Words extends readonly unknown[]>(
  needs: Needs | "unchecked" | ((...words: Words) => Needs),
  work: Work<Words>,
) => (...words: Words) => Promise<void>;

/** Adds commands to the program. */
export type AddCommands = (program: Command, runs: Runs) => void;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

interface Interruption {
  /** Aborted by the first SIGINT or SIGTERM. A second one ends the process at once, as usual. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  readonly ignore: () => void;
}

/** Lets an interrupted command end by itself, so that it can finish what it began and say how far it got. */
export function interruption(): Interruption {
  const stop = new AbortController();
  const ignore = () => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  const onSignal = () => {
    ignore();
    stop.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return { signal: stop.signal, ignore };
}

interface Repeated {
  /** The pause in seconds; undefined to run once. */
  readonly every: number | undefined;
  /** The failure of a run in words, like "not sealed". */
  readonly failureText: string;
  readonly run: () => Promise<void>;
}

/** Runs a command's work once, or repeatedly with `--every`. */
export async function runOnceOrRepeat(
  output: Output,
  { every, failureText, run }: Repeated,
): Promise<ExitCode> {
  if (every === undefined) {
    await run();
    return EXIT.done;
  }
  const pauseMs = every * SECOND;
  return repeatUntilSignal(output, {
    failureText,
    run: () => run().then(() => pauseMs),
    pauseAfterFailureMs: pauseMs,
  });
}

interface Round {
  /** The failure of a run in words, like "not sealed". */
  readonly failureText: string;
  /** Returns the pause until the next run, in ms. */
  readonly run: () => Promise<number>;
  readonly pauseAfterFailureMs: number;
}

/**
 * Repeats a command's work until SIGINT or SIGTERM; the current run is finished first. A failed run prints one line, and
 * the next run tries again.
 */
export async function repeatUntilSignal(
  { printError }: Output,
  { failureText, run, pauseAfterFailureMs }: Round,
): Promise<ExitCode> {
  const { signal, ignore } = interruption();
  while (!signal.aborted) {
    const pauseMs = await run().catch((error: unknown) => {
      printError(`portal: ${failureText}: ${replaceControls(reasonOf(error))}`);
      return pauseAfterFailureMs;
    });
    // Rejects when interrupted; the loop's condition then ends it.
    await wait(Math.min(pauseMs, LONGEST_TIMER_MS), undefined, { signal }).catch(() => undefined);
  }
  ignore();
  return EXIT.done;
}
