import { environment } from "../config/environment.server";
import { log } from "../telemetry/log.server";

/** The result of `work`, or undefined if that takes longer than `ms`; the work itself goes on. Rethrows its errors. */
export async function withTimeout<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
    timer.unref();
  });
  return Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}

interface Living {
  readonly name: string;
  readonly end: () => void | Promise<void>;
  readonly drain: () => void | Promise<void>;
}

type Stage = "running" | "notice" | "diverting";

const resources: Living[] = [];
const listeners: (() => void)[] = [];
let stage: Stage = "running";
let isWatching = false;

/**
 * Creates a resource that lives as long as the process (a pool, a worker, a server), and closes it at the end.
 *
 * SIGTERM and SIGINT stop the process. For `STOP_NOTICE_MS` it only says so (`isStopping`), then for `STOP_DIVERT_MS`
 * it diverts new requests to other processes (`isDiverting`). Then all resources drain at the same time and end in
 * reverse order, and the process exits with 0. Anything not done `STOP_MS` after that is abandoned.
 * @param end releases the resource
 * @param drain lets the resource finish its work while all other resources are still alive
 */
export function keepAlive<T>(
  name: string,
  create: () => T,
  end: (resource: T) => void | Promise<void>,
  drain?: (resource: T) => void | Promise<void>,
): T {
  watchSignals();
  const resource = create();
  resources.push({ name, end: () => end(resource), drain: () => drain?.(resource) });
  return resource;
}

/** Whether the process is stopping. It still finishes requests in progress. */
export function isStopping(): boolean {
  return stage !== "running";
}

/** Whether the next request should go to another process, because this one is about to close its port. */
export function isDiverting(): boolean {
  return stage === "diverting";
}

/** Calls `listener` on the signal to stop. */
export function onStopping(listener: () => void): void {
  watchSignals();
  listeners.push(listener);
}

/** Drains all resources at the same time, and ends them in reverse order. Afterwards new ones may be made. */
export async function endAll(): Promise<void> {
  const ending = resources.splice(0).reverse();
  await Promise.allSettled(ending.map(async ({ drain }) => drain()));
  for (const resource of ending) await ended(resource);
}

function watchSignals(): void {
  if (isWatching) return;
  isWatching = true;
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void stop(signal));
}

async function stop(signal: string): Promise<void> {
  if (stage !== "running") return;
  stage = "notice";
  log().info({ reason: signal }, "stopping");
  for (const listener of listeners) listener();
  const { STOP_NOTICE_MS, STOP_DIVERT_MS, STOP_MS } = environment().limits;
  setTimeout(
    () => {
      log().warn({}, "stopped with work unfinished");
      process.exit(0);
    },
    STOP_NOTICE_MS + STOP_DIVERT_MS + STOP_MS,
  ).unref();
  await wait(STOP_NOTICE_MS);
  stage = "diverting";
  await wait(STOP_DIVERT_MS);
  await endAll();
  log().info({}, "stopped");
  process.exit(0);
}

/** Replaces `setTimeout` of `node:timers/promises`, whose clock tests could not advance. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function ended(resource: Living): Promise<void> {
  try {
    await resource.end();
  } catch (error) {
    log().error({ thing: resource.name, err: error }, "shutdown failed");
  }
}
