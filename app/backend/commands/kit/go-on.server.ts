import { setTimeout as wait } from "node:timers/promises";
import { SECOND } from "~/platform/time.server";
import { LONGEST_TIMER_MS } from "../../upkeep.server";
import { reasonOf } from "../../start-refusal.server";
import { EXIT, type ExitCode } from "./exit-code.server";
import { interruption } from "./interruption.server";
import { inOneLine, type Output } from "./output.server";

/**
 * Does a command's work once, or repeatedly with `--every`.
 * @param every the pause in seconds
 */
export async function onceOrEvery(
  output: Output,
  every: number | undefined,
  notDone: string,
  once: () => Promise<void>,
): Promise<ExitCode> {
  if (every === undefined) {
    await once();
    return EXIT.done;
  }
  const pauseMs = every * SECOND;
  return goOn(output, notDone, () => once().then(() => pauseMs), pauseMs);
}

/**
 * Repeats a command's work until it is interrupted; the current round is finished first. A failed round prints one
 * line, and the next one tries again.
 * @param notDone what a failed round has not done, such as "not sealed"
 * @param round returns the pause until the next one (ms)
 * @param pauseMs the pause after a round that failed
 */
export async function goOn(
  { printError }: Output,
  notDone: string,
  round: () => Promise<number>,
  pauseMs: number,
): Promise<ExitCode> {
  const { signal, ignore } = interruption();
  while (!signal.aborted) {
    const pause = await round().catch((error: unknown) => {
      printError(`portal: ${notDone}: ${inOneLine(reasonOf(error))}`);
      return pauseMs;
    });
    // Rejects when interrupted; the loop's condition then ends it.
    await wait(Math.min(pause, LONGEST_TIMER_MS), undefined, { signal }).catch(() => undefined);
  }
  ignore();
  return EXIT.done;
}
