import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Ports below the range the system uses for outgoing connections. */
const PORTS = { first: 20_000, count: 10_000 };
/** A file for each port that a test process has taken, with its process id. */
const CLAIMS = join(tmpdir(), "portal-test-ports");
const claimed: string[] = [];
process.once("exit", () => {
  for (const file of claimed) rmSync(file, { force: true });
});

/**
 * A port on 127.0.0.1 that is free, and that no other test process is given while this one lives: many a server starts
 * seconds after its port was chosen.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (claim(port) && (await isFree(port))) return port;
  }
}

function claim(port: number): boolean {
  const file = join(CLAIMS, String(port));
  mkdirSync(CLAIMS, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch {
    if (!isAlive(ownerOf(file))) rmSync(file, { force: true });
    return false;
  }
  claimed.push(file);
  return true;
}

/** NaN if the file is gone, or not written yet. */
function ownerOf(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, "utf8"), 10);
  } catch {
    return Number.NaN;
  }
}

function isAlive(pid: number): boolean {
  if (Number.isNaN(pid)) return true;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => {
      resolve(false);
    });
    server.listen(port, "127.0.0.1", () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
