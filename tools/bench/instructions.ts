import { spawn } from "node:child_process";

/** perf doesn't say when it has attached itself. */
const ATTACH_MS = 300;

/**
 * Counts the instructions that a process and its threads run in user mode during some work; undefined where perf is
 * missing or the machine does not count. Unlike time, they don't depend on what else the machine does.
 */
export async function countInstructions(
  pid: number,
  work: () => Promise<unknown>,
): Promise<number | undefined> {
  const perf = spawn("perf", ["stat", "--field-separator=,", "--event=instructions:u", `--pid=${pid}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let report = "";
  perf.stderr.setEncoding("utf8").on("data", (text: string) => (report += text));
  const ended = new Promise<void>((resolve) => {
    perf.once("error", () => {
      resolve();
    });
    perf.once("close", () => {
      resolve();
    });
  });
  await new Promise((resolve) => setTimeout(resolve, ATTACH_MS));
  await work();
  perf.kill("SIGINT");
  await ended;
  const counted = /^(\d+),/m.exec(report)?.[1];
  return counted === undefined ? undefined : Number(counted);
}
