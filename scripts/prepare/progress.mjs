import { run } from "./command.mjs";

const QUIET_REPORT_MS = 15_000;

/**
 * Runs a long command, showing one line with the elapsed seconds instead of its output.
 * @param {string} title the action, as a person would describe it
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function runWithProgress(title, program, args, env = {}) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const live = process.stdout.isTTY === true;
  process.stdout.write(`· ${title} …${live ? "" : "\n"}`);
  const timer = live
    ? setInterval(() => process.stdout.write(`\r· ${title} … ${seconds()} s `), 1000)
    : setInterval(() => console.log(`  … ${seconds()} s`), QUIET_REPORT_MS);
  const outcome = await run(program, args, { env, capture: true });
  clearInterval(timer);
  const mark = outcome.code === 0 ? "✓" : "✗";
  process.stdout.write(`${live ? "\r" : ""}${mark} ${title}: ${seconds()} s   \n`);
  return outcome;
}
