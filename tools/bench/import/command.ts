import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Home } from "../home";
import { peakMbOf } from "../process";

/** How often the memory is looked at, in ms. */
const LOOK_MS = 20;

/** An import under way. */
interface RunningImport {
  /** @throws Error if it fails */
  readonly ended: Promise<{ readonly seconds: number; readonly peakMb: number }>;
  /** Asks it to end early. */
  readonly interrupt: () => void;
}

/** Runs the built command, as an operator does. */
export function runImport({ env }: Home, file: string): RunningImport {
  const began = performance.now();
  const child = spawn(process.execPath, [join("build", "portal"), "import", file], {
    env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let peakMb = 0;
  let isInterrupted = false;
  const watch = setInterval(() => (peakMb = peakMbOf(child.pid ?? 0) ?? peakMb), LOOK_MS);
  const ended = once(child, "exit").then(([code]) => {
    clearInterval(watch);
    if (code !== (isInterrupted ? 1 : 0)) throw new Error(`the import ended with ${String(code)}`);
    return { seconds: (performance.now() - began) / 1000, peakMb };
  });
  return {
    ended,
    interrupt: () => {
      isInterrupted = true;
      child.kill("SIGTERM");
    },
  };
}
