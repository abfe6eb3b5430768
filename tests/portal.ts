import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDemoData, hasUsualData } from "./demo-data";
import { ask } from "./http-request";
import { freePort } from "./free-port";
import { runPortal, type Exit } from "./portal-process";

/** Long enough on a busy machine. */
const START_MS = 300_000;
/** Far longer than the portal's own STOP_MS: a process that still runs after that hangs. */
const STOP_MS = 120_000;
const BETWEEN_TRIES_MS = 25;

/** A text message in the demo's outbox. */
export interface Message {
  readonly to: string;
  readonly text: string;
  readonly sentAt: string;
}

/** The text messages of a portal in demo mode. */
export interface Outbox {
  /** All messages, newest first. */
  readonly outbox: () => Promise<readonly Message[]>;
  /** How many messages a number has received. */
  readonly messagesTo: (phone: string) => Promise<number>;
  /** The code in the newest message to a number. */
  readonly lastCode: (phone: string) => Promise<string>;
}

/** A portal as customers see it: one process, or several behind a proxy. */
export interface PublicPortal extends Outbox {
  /** Its address for customers: PUBLIC_ORIGIN, or the address it listens on. */
  readonly origin: string;
  /** Its port on 127.0.0.1. */
  readonly port: number;
  /** Whether that port speaks TLS. */
  readonly secure?: boolean;
}

/** A portal in a process of its own. */
export interface Portal extends PublicPortal {
  readonly pid: number;
  readonly dataDir: string;
  /** Everything the process has written so far, to both streams. */
  readonly log: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Signals the process to stop, waits until it has, and cleans up. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Exit>;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<Exit>;
}

/** How to start a portal. */
export interface PortalOptions {
  /** Kept when the portal stops. Default: a fresh one, removed when it stops. */
  readonly dataDir?: string;
  /** Default: a free one. */
  readonly port?: number;
  readonly publicOrigin?: string;
  /** The folder of a release. Default: the repository. */
  readonly folder?: string;
  /** More environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** A descriptor that its output goes to. Default: `log` has it. */
  readonly output?: number;
}

/**
 * Starts a portal on a free port of 127.0.0.1 and waits until it answers.
 * @throws Error with its output if it ends instead, or takes too long
 */
export async function startPortal({ publicOrigin, env, ...options }: PortalOptions = {}): Promise<Portal> {
  const dataDir = options.dataDir ?? (await dataDirFor(options.folder, env));
  const port = options.port ?? (await freePort());
  const variables = {
    DATA_DIR: dataDir,
    PORT: String(port),
    ...(publicOrigin !== undefined && { PUBLIC_ORIGIN: publicOrigin }),
    ...env,
  };
  const running = runPortal(variables, options.folder, options.output);
  const headers = publicOrigin === undefined ? {} : { Host: new URL(publicOrigin).host };
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    running.signal(signal);
    const exit = await within(STOP_MS, running.ended);
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    if (exit === "too late") throw new Error(`The portal ignores ${signal}:\n${running.log()}`);
    return exit;
  };
  const started = await within(START_MS, Promise.race([firstAnswer(port, headers), running.ended]));
  if (started !== "answers") {
    await stop("SIGKILL");
    throw new Error(`The portal did not start:\n${running.log()}`);
  }
  return {
    origin: publicOrigin ?? `http://127.0.0.1:${port}`,
    port,
    dataDir,
    pid: running.pid,
    ...outboxAt(port, headers),
    log: running.log,
    signal: running.signal,
    stop,
    ended: running.ended,
  };
}

/** A new data directory with the usual data, if the portal would make just that at its start. */
function dataDirFor(folder: string | undefined, env: PortalOptions["env"]): Promise<string> {
  return folder === undefined && hasUsualData(env) ? usualDataDir() : freshDataDir();
}

/** A data directory as a portal's first start leaves it. The caller removes it. */
export async function usualDataDir(): Promise<string> {
  const dataDir = await freshDataDir();
  await copyDemoData(dataDir, async (usual) => {
    await (await startPortal({ dataDir: usual })).stop();
  });
  return dataDir;
}

/** The outbox of the portal on this port of 127.0.0.1. */
export function outboxAt(port: number, headers: Readonly<Record<string, string>> = {}): Outbox {
  return outboxOf(
    async () => JSON.parse((await ask({ port, path: "/demo/sms.json", headers })).body) as Message[],
  );
}

/** An outbox with the messages that a function returns, newest first. */
export function outboxOf(outbox: () => Promise<readonly Message[]>): Outbox {
  return {
    outbox,
    messagesTo: async (phone) => (await outbox()).filter(({ to }) => to === phone).length,
    lastCode: async (phone) => codeIn(await outbox(), phone),
  };
}

/** An unused data directory. The caller removes it. */
export function freshDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), "portal-"));
}

/** A six-digit code other than the right one; a different one for each `nth`. */
export function wrongCode(right: string, nth = 1): string {
  return String((Number(right) + nth) % 1_000_000).padStart(6, "0");
}

function codeIn(messages: readonly Message[], phone: string): string {
  const code = /\d{6}/.exec(messages.find(({ to }) => to === phone)?.text ?? "")?.[0];
  if (code === undefined) throw new Error(`No code was sent to ${phone}`);
  return code;
}

/** Requests a cheap file until it is answered: the process doesn't say when it starts to listen. */
async function firstAnswer(port: number, headers: Readonly<Record<string, string>>): Promise<"answers"> {
  for (;;) {
    const answer = await ask({ port, path: "/favicon.svg", headers }).catch(() => undefined);
    if (answer?.status === 200) return "answers";
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
  }
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value | "too late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"too late">((resolve) => {
    timer = setTimeout(resolve, ms, "too late");
  });
  return Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}
