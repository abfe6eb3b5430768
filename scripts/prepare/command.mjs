import { spawn } from "node:child_process";
import { ROOT } from "./project.mjs";

/**
 * @typedef {object} Outcome
 * @property {number} code exit code; 128 + n after a signal; 127 when the program could not be started
 * @property {string} output everything it printed, empty when it printed straight to the terminal
 *
 * @typedef {object} Options
 * @property {NodeJS.ProcessEnv} [env] added to ours
 * @property {boolean} [capture] collect its output instead of showing it
 * @property {AbortSignal} [signal] ends it early
 */

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
const running = new Set();

/**
 * Runs a program to its end. A signal to this process first ends the program and everything it started.
 * @param {string} program
 * @param {string[]} args
 * @param {Options} [options]
 * @returns {Promise<Outcome>}
 */
export function run(program, args, { env = {}, capture = false, signal } = {}) {
  const pipe = capture ? "pipe" : "inherit";
  // Its own process group: npm and test runners start children that outlive a signal to the parent alone.
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ["ignore", pipe, pipe],
  });
  const chunks = [];
  child.stdout?.on("data", (chunk) => chunks.push(chunk));
  child.stderr?.on("data", (chunk) => chunks.push(chunk));
  const abort = () => endGroup(child, "SIGTERM");
  signal?.addEventListener("abort", abort, { once: true });
  if (running.add(child).size === 1) watchSignals("on");

  return new Promise((resolve) => {
    const finish = (code) => {
      signal?.removeEventListener("abort", abort);
      if (running.delete(child) && running.size === 0) watchSignals("off");
      resolve({ code, output: Buffer.concat(chunks).toString("utf8") });
    };
    child.on("error", (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      finish(127);
    });
    child.on("close", (code, name) => finish(code ?? EXIT_CODES[name] ?? 1));
  });
}

/** Listens only while a child runs: a leftover listener would disable Node's default handling of the signal. */
function watchSignals(toggle) {
  for (const name of Object.keys(EXIT_CODES)) process[toggle](name, endAll);
}

function endAll(name) {
  for (const child of running) endGroup(child, name);
  process.exit(EXIT_CODES[name]);
}

function endGroup(child, signalName) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signalName);
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // it has ended already
  }
}
