import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BUILD = pathToFileURL(join(ROOT, "build/server/index.js")).href;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "seam-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a module beside the build, with a portal's environment. */
async function runModule(source: string) {
  const file = join(folder, "module.mjs");
  await writeFile(file, source);
  return spawnSync(process.execPath, [file], {
    cwd: ROOT,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      DATA_DIR: join(folder, "data"),
    },
  });
}

describe("remix-serve listens with our server", () => {
  test("node:http has its own createServer for every other call, and again when the portal listens", async () => {
    const { stdout, stderr } = await runModule(
      `import http from "node:http";
      const { createServer } = http;
      await import(${JSON.stringify(BUILD)});
      const other = http.createServer({}, () => {});
      console.log(other.constructor === http.Server, http.createServer === createServer);
      const ours = http.createServer(() => {});
      console.log(ours.constructor === http.Server, http.createServer === createServer);
      process.exit(0);`,
    );
    expect([stdout, stderr]).toEqual(["true false\nfalse true\n", ""]);
  });

  test("a process that loads the build without remix-serve ends with one line", async () => {
    const { status, stderr } = await runModule(`await import(${JSON.stringify(BUILD)});`);
    expect([status, JSON.parse(stderr)]).toEqual([
      1,
      expect.objectContaining({
        level: "error",
        msg: "remix-serve has not made its server: start the portal with npm start or npm run serve",
      }),
    ]);
  });
});
