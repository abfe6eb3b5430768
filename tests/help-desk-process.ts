import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { built } from "./built";
import { freePort } from "./free-port";
import { Visitor } from "./visitor";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const STARTED = /"msg":"listening"/;

/** Runs the built help desk with these variables, and of the tests' own only PATH. */
export async function runHelpDesk(variables: Readonly<Record<string, string>>, given?: number) {
  const port = given ?? (await freePort());
  const child = spawn(process.execPath, [built("help-desk")], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", PORT: String(port), ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const ended = once(child, "close").then(([code]: (number | null)[]) => code);
  return { port, child, ended, log: () => log };
}

/** Runs a help desk that has to start. */
export async function startHelpDesk(variables: Readonly<Record<string, string>>, port?: number) {
  const desk = await runHelpDesk(variables, port);
  await expect.poll(desk.log).toMatch(STARTED);
  const origin = `http://127.0.0.1:${desk.port}`;
  const noSms = () => Promise.reject(new Error("no SMS"));
  return { ...desk, visitor: () => new Visitor({ origin, port: desk.port, lastCode: noSms }) };
}
