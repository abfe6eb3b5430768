import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { inProject } from "../prepare/project.mjs";

const COUNT_CALLS = new URL("./count-calls.mjs", import.meta.url).href;
const SERVE = inProject("node_modules", "@remix-run", "serve", "dist", "cli.js");
const POLL_MS = 100;
const START_MS = 60_000;
const STOP_MS = 10_000;

/**
 * @typedef {object} RanFunction where a function that ran is in the server's build, in characters
 * @property {number} start
 * @property {number} end
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {string} body
 *
 * @typedef {object} Portal
 * @property {string} origin
 * @property {(method: string, path: string, headers?: object, body?: string) => Promise<Answer>} ask
 * @property {() => Promise<RanFunction[]>} takeCounts the functions that ran since the last call
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a portal in demo mode on a free port of 127.0.0.1, with a new data directory, and waits until it answers.
 * @param {string} folder where it was built
 * @param {string} serverBuild
 * @returns {Promise<Portal>}
 */
export async function startPortal(folder, serverBuild) {
  const port = await freePort();
  const child = spawn(process.execPath, ["--import", COUNT_CALLS, SERVE, serverBuild], {
    cwd: folder,
    // Not our own environment: portal variables set here would change the measurement.
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      PORTAL_MODE: "demo",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: mkdtempSync(join(folder, "data-")),
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const ended = once(child, "exit");
  const written = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => written.push(chunk));
  const stop = async () => {
    child.kill("SIGTERM");
    await Promise.race([ended, wait(STOP_MS, undefined, { ref: false })]);
    child.kill("SIGKILL");
  };

  const ask = askAt(port);
  if (!(await answers(ask, child))) {
    await stop();
    throw new Error(`The portal did not start:\n${Buffer.concat(written).toString("utf8")}`);
  }
  const folderUrl = pathToFileURL(dirname(serverBuild)).href;
  const takeCounts = async () => {
    const counts = once(child, "message");
    child.send(folderUrl);
    return (await counts)[0];
  };
  return { origin: `http://127.0.0.1:${port}`, ask, takeCounts, stop };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

async function answers(ask, child) {
  const end = Date.now() + START_MS;
  while (Date.now() < end && child.exitCode === null) {
    const answer = await ask("GET", "/healthz").catch(() => undefined);
    if (answer?.status === 200) return true;
    await wait(POLL_MS);
  }
  return false;
}

/** One connection per request, and no headers but those given: `fetch` would add its own. */
function askAt(port) {
  return async (method, path, headers = {}, body = "") => {
    const length = body === "" ? {} : { "Content-Length": Buffer.byteLength(body) };
    const sent = request({
      host: "127.0.0.1",
      port,
      method,
      path,
      headers: { ...headers, ...length },
      agent: false,
    });
    sent.end(body);
    const [message] = await once(sent, "response");
    const chunks = await message.toArray();
    return {
      status: message.statusCode,
      headers: message.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
  };
}
