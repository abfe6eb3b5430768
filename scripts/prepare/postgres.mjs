import { execFile, spawn } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { isAlive } from "./project.mjs";

const execute = promisify(execFile);

const FOLDERS = "portal-postgres-";
/** Where Debian, Red Hat and Homebrew put the server, which is not on the PATH. Debian has a folder per version in it. */
const ELSEWHERE = ["/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt/postgresql"];
const LISTENS_MS = 60_000;
const STOPS_MS = 60_000;
const BETWEEN_TRIES_MS = 20;

/** Many portals and commands connect at once. */
const SETTINGS = { max_connections: "300", listen_addresses: "127.0.0.1" };
/** For data that don't outlive the run: nothing waits for the disk. */
const IN_MEMORY = { fsync: "off", full_page_writes: "off" };

/** Whether this machine has the programs for a PostgreSQL of the tests' own, or TEST_DATABASE_URL names a server. */
export const hasPostgresPrograms = () => Boolean(process.env.TEST_DATABASE_URL) || programs() !== undefined;

/**
 * Gives the tests of this process and its children a PostgreSQL: the one in TEST_DATABASE_URL, or a server of their own
 * on a free port of 127.0.0.1, whose address TEST_DATABASE_URL then holds. Without PostgreSQL's programs the variable
 * stays unset, and tests that need it are left out.
 * @param {{ readonly waitsForDisk?: boolean }} [options] true to measure it as operators run it
 * @returns {Promise<() => Promise<void>>} stops the server and deletes its data, if it was started here
 */
export async function providePostgres({ waitsForDisk = false } = {}) {
  const folder = programs();
  if (process.env.TEST_DATABASE_URL || folder === undefined) return async () => undefined;
  await endForgotten();
  const server = await start(folder, waitsForDisk ? SETTINGS : { ...SETTINGS, ...IN_MEMORY });
  process.env.TEST_DATABASE_URL = server.url;
  return async () => {
    delete process.env.TEST_DATABASE_URL;
    await server.stop();
  };
}

async function start(folder, chosen) {
  const home = mkdtempSync(join(tmpdir(), FOLDERS));
  const data = join(home, "data");
  const user = await userFor(home);
  writeFileSync(join(home, "owner.pid"), String(process.pid));
  const made = ["--pgdata", data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8"];
  await execute(join(folder, "initdb"), [...made, "--locale", "C.UTF-8", "--no-sync"], {
    ...user,
    cwd: home,
  });
  const port = await freePort();
  const settings = { ...chosen, port: String(port), unix_socket_directories: home };
  const child = spawn(
    join(folder, "postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...user, cwd: home, stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said = (said + text).slice(-10_000)));
  const ended = new Promise((resolve) => child.once("close", resolve));
  // If this process ends without stopping it.
  const quit = () => child.kill("SIGQUIT");
  process.once("exit", quit);
  const stop = async () => {
    // A fast shutdown: connections are closed, and nothing waits for clients.
    child.kill("SIGINT");
    const late = delay(STOPS_MS, "late", { ref: false });
    if ((await Promise.race([ended, late])) === "late") child.kill("SIGQUIT");
    await ended;
    process.off("exit", quit);
    rmSync(home, { recursive: true, force: true });
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  if (await listens(url, ended)) return { url, stop };
  await stop();
  throw new Error(`The tests' PostgreSQL did not start:\n${said}`);
}

/** Ends the servers of runs that were killed before they could, and deletes their data. */
async function endForgotten() {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(FOLDERS))) {
    const home = join(tmpdir(), name);
    const owner = numberIn(join(home, "owner.pid"));
    if (owner === undefined || isAlive(owner)) continue;
    const server = numberIn(join(home, "data", "postmaster.pid"));
    if (server !== undefined && isAlive(server)) process.kill(server, "SIGQUIT");
    while (server !== undefined && isAlive(server)) await delay(BETWEEN_TRIES_MS);
    rmSync(home, { recursive: true, force: true });
  }
}

/** The folder with PostgreSQL's server and the program that makes its data; of several versions, the newest. */
function programs() {
  const onPath = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const newestFirst = (folder) =>
    readdirSync(folder).toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }));
  const elsewhere = ELSEWHERE.filter((folder) => existsSync(folder)).flatMap((folder) => [
    ...newestFirst(folder).map((version) => join(folder, version, "bin")),
    join(folder, "bin"),
  ]);
  // Debian's initdb on the PATH may be a wrapper: the server stands beside the real one.
  return [...elsewhere, ...onPath].find((folder) =>
    ["initdb", "postgres"].every((program) => existsSync(join(folder, program))),
  );
}

/** PostgreSQL refuses to run as root, so there it runs as another user, who gets the folder. */
async function userFor(home) {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const id = async (which) => Number((await execute("id", [which, name])).stdout);
    try {
      const user = { uid: await id("-u"), gid: await id("-g") };
      chownSync(home, user.uid, user.gid);
      return user;
    } catch {
      // No such user here.
    }
  }
  throw new Error("PostgreSQL doesn't run as root, and there is no user postgres or nobody here.");
}

/** Waits until the server answers; false if it ended. */
async function listens(url, ended) {
  const { Client } = await import("pg");
  const end = Date.now() + LISTENS_MS;
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && Date.now() < end) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await delay(BETWEEN_TRIES_MS);
    }
  }
  return false;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function numberIn(file) {
  try {
    return Number.parseInt(readFileSync(file, "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}
