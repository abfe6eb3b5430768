import { fork } from "node:child_process";
import { join } from "node:path";
import { nodeFlags } from "./portal";
import type { HashOrder, HashReport } from "./raw-hashes";

/** Compares passwords in a process of its own that does nothing else: the floor for sign-ins. */
export function bareHashes(order: HashOrder): Promise<HashReport> {
  return new Promise((resolve, reject) => {
    const child = fork(join(".cache", "bench", "raw-hashes.mjs"), {
      execArgv: [...nodeFlags()],
      env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production" },
    });
    child.once("message", (report: HashReport) => {
      resolve(report);
    });
    child.once("error", reject);
    child.send(order);
  });
}
