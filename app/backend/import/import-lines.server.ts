import { setTimeout as wait } from "node:timers/promises";
import { isoDayInPoland, stopwatch, systemClock } from "~/platform/time.server";
import type { UnreadableLine } from "~/platform/files/lines-in.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Store, Tx } from "../store/store.server";
import { rehearse } from "../store/rehearse.server";
import {
  importBatch,
  type LineResult,
  type Preparation,
  prepareBatch,
  type PreparedLine,
  type Writing,
} from "./import-batch.server";
import type { ImportTally } from "./import-tally.server";
import { type WarningKind, warningText } from "./line-problems.server";
import { batchesOf, type LineRules, type Pace } from "./policyholder-batches.server";
import { SeenNumbers } from "./plan-line.server";

/** The lines to import, and the options of the import. */
export interface ImportSource {
  /** One policyholder each. */
  readonly lines: AsyncIterable<string | UnreadableLine>;
  readonly rules: LineRules;
  readonly check: Preparation["check"];
  readonly paceNow: () => Promise<Pace>;
  /** Ends the import after the transaction under way. */
  readonly stop: AbortSignal;
  /** Whether each transaction is undone, so that the import only says what it would do. */
  readonly isRehearsal?: boolean;
  readonly writing: Omit<Writing, "keyring" | "now">;
  /** Called for each line that was read. */
  readonly onRead: () => void;
}

/** Gets a remark on a line, and whether the line is refused. */
export type OnRemark = (remark: string, isRefused: boolean) => void;

/**
 * Imports policyholders, one JSON object per line. Kind and identifier tell policyholders apart. New ones are added and
 * changed ones updated; nothing is deleted. A policy never changes hands here, because one mistyped number would show a
 * customer someone else's contract. Each line is written completely or not at all, and importing the same file again
 * changes nothing.
 * @param onRemark gets the number of each line with a remark and the remark, but nothing from the line itself
 * @param tally counts what is done, even if this throws
 */
export async function importLines(
  store: Store,
  keyring: Keyring,
  source: Omit<ImportSource, "onRead">,
  onRemark: OnRemark,
  tally: ImportTally,
): Promise<void> {
  const onRead = () => {
    tally.countRead();
  };
  for await (const results of importBatches(store, keyring, { ...source, onRead })) {
    tally.countWritten(results);
    for (const line of results)
      for (const remark of remarksOn(line, source.isRehearsal === true))
        onRemark(`line ${line.number}: ${remark}`, line.result.kind === "refused");
  }
}

/** Warnings about details that the import leaves out. */
const LEFT_OUT: readonly WarningKind[] = ["emailLeftOut", "premiumLeftOut"];

/** @param isRehearsal whether to list all remarks; otherwise only left-out details, and the tally counts the rest */
function remarksOn({ result, warnings }: LineResult, isRehearsal: boolean): readonly string[] {
  if (result.kind === "refused") return [result.problem];
  const shown = warnings.filter(({ kind }) => isRehearsal || LEFT_OUT.includes(kind));
  return [
    ...(isRehearsal && result.fields.length > 0 ? [`changes ${result.fields.join(", ")}`] : []),
    ...shown.map(warningText),
    ...result.leftOut.map(({ where, at, letIn }) => {
      const isOther = letIn === undefined ? "" : `; its content is another one: --let-in ${letIn} lets it in`;
      return `${where}: left out, because it was taken back on ${isoDayInPoland(at)}${isOther}`;
    }),
  ];
}

interface PreparedBatch {
  readonly pace: Pace;
  readonly lines: readonly PreparedLine[];
}

/** Imports a file. Yields the outcome of its lines, one committed transaction at a time. */
async function* importBatches(
  store: Store,
  keyring: Keyring,
  { lines, rules, check, paceNow, stop, isRehearsal = false, writing, onRead }: ImportSource,
): AsyncGenerator<readonly LineResult[]> {
  const batches = batchesOf(lines, rules, paceNow);
  const seen = new SeenNumbers();
  const onLine = () => {
    stop.throwIfAborted();
    onRead();
  };
  const next = () =>
    unlessStopped(stop, async (): Promise<PreparedBatch | undefined> => {
      const turn = await batches.next();
      if (turn.done) return undefined;
      const preparation = { reader: store.read, keyring, check, onLine };
      return { pace: turn.value.pace, lines: await prepareBatch(preparation, turn.value.lines) };
    });

  try {
    for (let batch = await next(); batch;) {
      const { pace, lines: prepared } = batch;
      let beganAt = 0;
      const work = (tx: Tx) => {
        // Waiting for the database is no load on it. A retry starts the clock again.
        beganAt = stopwatch();
        return importBatch(tx, { ...writing, keyring, now: systemClock() }, prepared, seen);
      };
      const batchWritten = isRehearsal ? rehearse(store, work) : store.write(work);
      const ahead = pace.preparesAhead ? next() : undefined;
      // Written lines count even if the next ones can't be read.
      const [written] = await Promise.allSettled([batchWritten, ahead]);
      if (written.status === "rejected") throw written.reason;
      const pause = (stopwatch() - beganAt) * pace.rest;
      remember(seen, prepared, written.value);
      yield written.value;
      batch = await afterPause(pause, ahead ?? next(), stop);
    }
  } finally {
    // Closes the file.
    await batches.return(undefined);
  }
}

/**
 * Waits for the next batch and for a pause, which leaves the database to the portals. Both run at the same time:
 * preparing hardly uses the database. There is no pause after the last batch.
 * @returns undefined after the last batch, or once the import should stop
 */
async function afterPause(
  ms: number,
  next: Promise<PreparedBatch | undefined>,
  stop: AbortSignal,
): Promise<PreparedBatch | undefined> {
  const isOver = new AbortController();
  const signal = AbortSignal.any([stop, isOver.signal]);
  const pause = wait(ms, undefined, { signal }).catch(() => undefined);
  try {
    const batch = await next;
    if (batch) await pause;
    return stop.aborted ? undefined : batch;
  } finally {
    isOver.abort();
  }
}

/** Remembers only committed lines: a transaction may run more than once. */
function remember(seen: SeenNumbers, lines: readonly PreparedLine[], results: readonly LineResult[]): void {
  for (const [at, { content }] of lines.entries())
    if (content.ok && results[at]?.result.kind !== "refused")
      for (const { policyNo } of content.value.holder.policies) seen.add(policyNo);
}

/** Does the work. @returns undefined once the import should stop */
async function unlessStopped<Value>(
  stop: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    stop.throwIfAborted();
    return await work();
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  }
}
