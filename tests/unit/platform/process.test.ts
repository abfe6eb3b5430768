import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as life from "~/platform/lifecycle/process.server";
import { environment } from "~/platform/config/environment.server";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
const exit = vi.spyOn(process, "exit");
let { endAll, isDiverting, isStopping, keepAlive } = life;

/** Each test starts as a new process: nothing kept alive, no signal handlers. */
beforeEach(async () => {
  vi.resetModules();
  ({ endAll, isDiverting, isStopping, keepAlive } = await import("~/platform/lifecycle/process.server"));
  vi.useFakeTimers();
  exit.mockReset().mockImplementation(() => undefined as never);
});
afterEach(() => {
  for (const signal of SIGNALS)
    for (const handler of process.listeners(signal).slice(-1)) process.off(signal, handler);
  vi.useRealTimers();
});

const { STOP_NOTICE_MS, STOP_DIVERT_MS, STOP_MS } = environment().limits;

async function done(): Promise<void> {
  await vi.advanceTimersByTimeAsync(STOP_NOTICE_MS + STOP_DIVERT_MS);
  expect(exit).toHaveBeenCalled();
}

test.each(SIGNALS)(
  "%s drains everything while all of it is still running, ends it in reverse order, and exits with 0",
  async (signal) => {
    const steps: string[] = [];
    for (const name of ["pool", "worker"]) {
      keepAlive(
        name,
        () => name,
        (thing) => void steps.push(`end ${thing}`),
        async (thing) => {
          await Promise.resolve();
          steps.push(`drain ${thing}`);
        },
      );
    }
    process.emit(signal);
    await done();
    expect(steps).toEqual(["drain worker", "drain pool", "end worker", "end pool"]);
    expect(exit.mock.calls).toEqual([[0]]);
  },
);

test("[S103] announces a stop at once, diverts requests after the notice, and only then drains", async () => {
  const drained = vi.fn();
  keepAlive(
    "door",
    () => undefined,
    () => undefined,
    drained,
  );
  expect(isStopping()).toBe(false);
  process.emit("SIGTERM");
  expect(isStopping()).toBe(true);
  expect(isDiverting()).toBe(false);
  await vi.advanceTimersByTimeAsync(STOP_NOTICE_MS);
  expect(isDiverting()).toBe(true);
  await vi.advanceTimersByTimeAsync(STOP_DIVERT_MS - 1);
  expect(drained).not.toHaveBeenCalled();
  await done();
  expect(drained).toHaveBeenCalledOnce();
});

test("gives up on whatever takes too long, STOP_MS after it closed its port", async () => {
  keepAlive(
    "stuck",
    () => undefined,
    () => undefined,
    () => new Promise<void>(() => undefined),
  );
  process.emit("SIGTERM");
  await vi.advanceTimersByTimeAsync(STOP_NOTICE_MS + STOP_DIVERT_MS + STOP_MS - 1);
  expect(exit).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(exit).toHaveBeenCalledWith(0);
});

test("a failure to drain or end stops no other, and is logged by name", async () => {
  const { log } = await import("~/platform/telemetry/log.server");
  const error = vi.spyOn(log(), "error").mockImplementation(() => undefined);
  const ended = vi.fn();
  keepAlive("good", () => undefined, ended);
  keepAlive(
    "bad",
    () => undefined,
    () => Promise.reject(new Error("no")),
    () => Promise.reject(new Error("no")),
  );
  process.emit("SIGTERM");
  await done();
  expect(ended).toHaveBeenCalledOnce();
  expect(error).toHaveBeenCalledWith({ thing: "bad", err: new Error("no") }, "shutdown failed");
});

test("a second signal changes nothing", async () => {
  const ended = vi.fn();
  keepAlive("once", () => undefined, ended);
  process.emit("SIGINT");
  process.emit("SIGTERM");
  await done();
  expect(ended).toHaveBeenCalledOnce();
});

test("all can be ended without the process, and others made; there is one signal handler", async () => {
  const handlers = process.listenerCount("SIGTERM");
  const ended = vi.fn();
  keepAlive("door", () => 1, ended);
  await endAll();
  expect(keepAlive("door", () => 2, ended)).toBe(2);
  expect(ended.mock.calls).toEqual([[1]]);
  expect(process.listenerCount("SIGTERM")).toBe(handlers + 1);
  process.emit("SIGTERM");
  await done();
  expect(ended.mock.calls).toEqual([[1], [2]]);
});
