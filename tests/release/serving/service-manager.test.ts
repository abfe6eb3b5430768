import { spawn, type ChildProcessByStdio } from "node:child_process";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../../browsers/until";
import { canTestWith } from "../../installed";
import { startPortal, type Portal } from "../../portal";

/** Acts as systemd does on its socket: it takes each message and closes the descriptors sent with it. */
const LISTENER = `
import socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print("LISTENING", flush=True)
while True:
    print(listener.recv(4096).decode(), flush=True)
`;
/** A sign of life each second. */
const WATCHDOG_USEC = "2000000";

/** Each test starts portals, on a busy machine. */
describe.runIf(canTestWith("systemd-notify", "python3"))("[S103] a portal that systemd runs", () => {
  let listener: Listener;
  beforeEach(async () => {
    listener = await listen();
  });
  afterEach(() => listener.stop());

  const start = (env: Readonly<Record<string, string>> = {}) =>
    startPortal({ env: { NOTIFY_SOCKET: listener.socket, ...env } });

  test("reports that it serves once it does, and that it stops as soon as it does", async () => {
    const portal = await start();
    await soon("it to be ready", () => listener.states().includes("READY=1"));
    expect(listener.states()).toEqual(["READY=1"]);
    await portal.stop();
    await soon("it to be stopping", () => listener.states().includes("STOPPING=1"));
    expect(listener.states()).toEqual(["READY=1", "STOPPING=1"]);
  });

  test("says that it is alive only while its event loop runs, so that a frozen one is noticed", async () => {
    const portal = await start({ WATCHDOG_USEC });
    const other = await listen();
    const running: Portal = await startPortal({ env: { NOTIFY_SOCKET: other.socket, WATCHDOG_USEC } });
    const signs = (of: Listener) => of.states().filter((state) => state === "WATCHDOG=1").length;
    await soon("signs of life", () => signs(listener) > 0 && signs(other) > 0);
    portal.signal("SIGSTOP");
    // Signs from before may still be on their way.
    const before = signs(other);
    await soon("the other's next signs", () => signs(other) > before + 2);
    const [frozen, alive] = [signs(listener), signs(other)];
    await soon("the other's next signs", () => signs(other) > alive + 2);
    expect(signs(listener)).toBe(frozen);
    portal.signal("SIGCONT");
    await soon("signs of life again", () => signs(listener) > frozen);
    await portal.stop();
    await running.stop();
    await other.stop();
  });

  test("serves all the same if nobody listens", async () => {
    const portal = await start({ NOTIFY_SOCKET: join(tmpdir(), "no-such-socket"), WATCHDOG_USEC });
    await soon("systemd-notify to complain", () => portal.log().includes("notify"));
    expect((await portal.stop()).code).toBe(0);
    expect(listener.states()).toEqual([]);
  });
});

const soon = (awaited: string, look: () => boolean) => until(awaited, () => Promise.resolve(look()));

interface Listener {
  readonly socket: string;
  /** The states it has been told, in order. */
  readonly states: () => readonly string[];
  readonly stop: () => Promise<void>;
}

let sockets = 0;

async function listen(): Promise<Listener> {
  const socket = join(tmpdir(), `notify-${process.pid}-${(sockets += 1)}.sock`);
  const child: ChildProcessByStdio<null, Readable, null> = spawn("python3", ["-c", LISTENER, socket], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let heard = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (heard += text));
  await soon("the socket", () => heard.includes("LISTENING"));
  return {
    socket,
    // systemd-notify also asks whether its message has been taken.
    states: () => heard.split("\n").filter((line) => /^(READY|STOPPING|WATCHDOG)=1$/.test(line)),
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      await rm(socket, { force: true });
    },
  };
}
