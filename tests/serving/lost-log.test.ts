import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freePort } from "../free-port";
import { ask } from "../http-request";
import { type Portal, startPortal } from "../portal";
import { IS_RELEASE } from "../release-run";
import { CAN_MOUNT, mountDisk } from "../small-disk";

const LINES = 60;
/** Room for some of them, on a disk in memory. */
const PAGE = 4096;

/** Starts a portal whose lines can't be written; it must serve. Says how many it has dropped. */
async function servesWithoutLog(
  output: number,
): Promise<{ readonly portal: Portal; readonly dropped: () => Promise<number> }> {
  const metrics = await freePort();
  const portal = await startPortal({ output, env: { LOG_LEVEL: "debug", METRICS_PORT: String(metrics) } });
  for (let nth = 0; nth < LINES; nth += 1)
    expect((await ask({ port: portal.port, path: "/home" })).status).toBe(302);
  return {
    portal,
    dropped: async () => {
      const { body } = await ask({ port: metrics, path: "/metrics" });
      return Number(/^portal_log_lines_dropped_total (\d+)$/m.exec(body)?.[1]);
    },
  };
}

function linesIn(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A pipe, open for reading. Until `remove`, `openEnd` opens it for writing. */
function makePipe(mode: number) {
  const folder = mkdtempSync(join(tmpdir(), "portal-pipe-"));
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const remove = () => {
    rmSync(folder, { recursive: true });
  };
  return { reader: openSync(path, mode | constants.O_NONBLOCK), openEnd: () => openSync(path, "a"), remove };
}

/** Fills a pipe without a reader. Returns how many bytes it took. */
function fillPipe(pipe: number): number {
  let bytes = 0;
  try {
    for (;;) bytes += writeSync(pipe, "\n".repeat(512));
  } catch {
    return bytes;
  }
}

describe("a portal starts and serves while its log can't be written, and then tells how many lines are missing", () => {
  test.runIf(CAN_MOUNT)("on a full disk", async () => {
    const disk = mountDisk();
    const file = join(disk.folder, "portal.log");
    const output = openSync(file, "a");
    disk.fill(PAGE);
    const { portal, dropped } = await servesWithoutLog(output);
    closeSync(output);
    const before = await dropped();
    expect(before).toBeGreaterThan(0);
    disk.makeRoom();
    await ask({ port: portal.port, path: "/home" });
    await portal.stop();
    // The line that the disk had no room for is whole, too.
    const lines = linesIn(readFileSync(file, "utf8"));
    const at = lines.findIndex(({ event }) => event === "log-lines-dropped");
    expect(lines[0]).toMatchObject({ msg: "starting" });
    expect(lines[at]).toMatchObject({ level: "warn", count: before });
    expect(lines.slice(at + 1).map(({ msg }) => msg)).toEqual(["answered", "stopping", "stopped"]);
    disk.remove();
  });

  test("into a pipe without a reader", async () => {
    const { reader, openEnd, remove } = makePipe(constants.O_RDWR);
    const filling = fillPipe(reader);
    const output = openEnd();
    const { portal, dropped } = await servesWithoutLog(output);
    closeSync(output);
    const before = await dropped();
    expect(before).toBeGreaterThan(LINES);
    readSync(reader, Buffer.alloc(filling), 0, filling, null);
    await ask({ port: portal.port, path: "/home" });
    await portal.stop();
    const written = Buffer.alloc(filling);
    const [told] = linesIn(written.toString("utf8", 0, readSync(reader, written, 0, filling, null)));
    expect(told).toMatchObject({ event: "log-lines-dropped", count: before });
    closeSync(reader);
    remove();
  });

  test.runIf(IS_RELEASE)("into a pipe whose reader has gone", async () => {
    const { reader, openEnd, remove } = makePipe(constants.O_RDONLY);
    const output = openEnd();
    closeSync(reader);
    const { portal, dropped } = await servesWithoutLog(output);
    closeSync(output);
    expect(await dropped()).toBeGreaterThan(LINES);
    expect(await portal.stop()).toEqual({ code: 0, signal: null });
    remove();
  });
});
