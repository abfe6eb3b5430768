import { spawn, type ChildProcess } from "node:child_process";
import { openSync, closeSync, mkdirSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { freePort } from "../../tests/free-port";

/** Where the processes under test write their output. */
const LOG_FOLDER = "test-results/bench";
/** The unit of processor time in /proc (`getconf CLK_TCK`, 100 on every Linux that Node runs on). */
const TICK_MS = 10;
const POLL_MS = 4;
const GIVE_UP_MS = 30_000;

/** A process under test. */
export interface Running {
  readonly port: number;
  readonly child: ChildProcess;
  /** From the start of the process to its first 200, in ms. */
  readonly firstAnswerMs: number;
  /** Processor time of all its threads so far, in ms. */
  cpuMs(): number;
  /** Resident memory, in MB. */
  residentMb(): number;
  /** Ends it and waits until it is gone. */
  stop(): Promise<void>;
}

/** A program to run, and the path to request until it answers 200. */
export interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The folder it runs in; ours by default. */
  readonly cwd?: string;
  readonly firstPath: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A message to send over its channel as soon as it runs. */
  readonly message?: object;
}

/**
 * Runs a Node server on a free port of 127.0.0.1 and waits for its first 200. Its output goes to a file in
 * `test-results/bench`, since a pipe to this process would cost both of them time.
 * @throws Error if it ends instead or takes over 30 s
 */
export async function runServer({
  name,
  args,
  env,
  cwd,
  firstPath,
  headers,
  message,
}: Program): Promise<Running> {
  const port = await freePort();
  mkdirSync(LOG_FOLDER, { recursive: true });
  const log = openSync(`${LOG_FOLDER}/${name}.log`, "w");
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: String(port),
      ...env,
    },
    stdio: message ? ["ignore", log, log, "ipc"] : ["ignore", log, log],
  });
  closeSync(log);
  if (message) child.send(message);
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      process.off("exit", kill);
      resolve();
    });
  });
  while ((await statusOf(port, firstPath, headers)) !== 200) {
    if (child.exitCode !== null || performance.now() - began > GIVE_UP_MS) {
      kill();
      throw new Error(`${name} did not start: see ${LOG_FOLDER}/${name}.log`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return {
    port,
    child,
    firstAnswerMs: performance.now() - began,
    cpuMs: () => cpuMsOf(child.pid ?? 0),
    residentMb: () => residentMbOf(child.pid ?? 0),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function statusOf(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port, path, headers, agent: false }, (answer) => {
      answer.resume().once("close", () => {
        resolve(answer.statusCode ?? 0);
      });
    });
    request.once("error", () => {
      resolve(0);
    });
  });
}

/**
 * Processor time of a process so far, in ms. See proc_pid_stat(5): utime and stime are fields 14 and 15; the name
 * before them may hold spaces.
 */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory of a process, in MB. */
export function residentMbOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/** The most resident memory that a process has had, in MB; undefined once it is gone. */
export function peakMbOf(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
