import { environment } from "../config/environment.server";
import { log } from "../telemetry/log.server";

interface Living {
  readonly name: string;
  readonly end: () => void | Promise<void>;
  readonly drain: () => void | Promise<void>;
}

/** What lives as long as the process. On `globalThis`, because a development server reloads modules after each edit. */
interface Life {
  readonly things: Map<string, Living>;
  readonly listeners: (() => void)[];
  stage: "running" | "notice" | "diverting";
}

const KEY = Symbol.for("portal.process");
const home = globalThis as { [KEY]?: Life };

/**
 * Makes a thing that lives as long as the process (a pool, a worker, a server), and ends it when the process stops. If
 * an earlier load of the calling module left a thing of the same name, that one is ended first, but not awaited.
 *
 * SIGTERM and SIGINT stop the process. For `STOP_NOTICE_MS` it only says so (`isStopping`), and for `STOP_DIVERT_MS` it
 * asks to be left alone (`isDiverting`). Then all things drain at once and end in reverse order, and the process exits
 * with 0. Anything not done `STOP_MS` after that is abandoned.
 * @param end releases what the thing holds
 * @param drain lets the thing finish its work while all other things are still alive
 */
export function keepAlive<T>(
  name: string,
  create: () => T,
  end: (thing: T) => void | Promise<void>,
  drain?: (thing: T) => void | Promise<void>,
): T {
  const { things } = life();
  const predecessor = things.get(name);
  if (predecessor) {
    things.delete(name);
    void ended(predecessor);
  }
  const thing = create();
  things.set(name, { name, end: () => end(thing), drain: () => drain?.(thing) });
  return thing;
}

/** Whether the process was told to stop. It still finishes the work it has begun. */
export function isStopping(): boolean {
  return home[KEY] !== undefined && home[KEY].stage !== "running";
}

/** Whether the next request should go to another process, because this one is about to close its port. */
export function isDiverting(): boolean {
  return home[KEY]?.stage === "diverting";
}

/** Calls `listener` as soon as the process is told to stop. */
export function onStopping(listener: () => void): void {
  life().listeners.push(listener);
}

function life(): Life {
  if (home[KEY]) return home[KEY];
  const made: Life = { things: new Map(), listeners: [], stage: "running" };
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void stop(made));
  return (home[KEY] = made);
}

async function stop(stopped: Life): Promise<void> {
  if (stopped.stage !== "running") return;
  stopped.stage = "notice";
  for (const listener of stopped.listeners) listener();
  const { STOP_NOTICE_MS, STOP_DIVERT_MS, STOP_MS } = environment().limits;
  setTimeout(() => process.exit(0), STOP_NOTICE_MS + STOP_DIVERT_MS + STOP_MS).unref();
  await wait(STOP_NOTICE_MS);
  stopped.stage = "diverting";
  await wait(STOP_DIVERT_MS);
  const things = [...stopped.things.values()].reverse();
  await Promise.allSettled(things.map(async ({ drain }) => drain()));
  for (const thing of things) await ended(thing);
  process.exit(0);
}

/** Not that of `node:timers/promises`: tests could not advance its clock. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function ended(thing: Living): Promise<void> {
  try {
    await thing.end();
  } catch (error) {
    log().error({ thing: thing.name, err: error }, "shutdown failed");
  }
}
