import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Server } from "node:net";
import type { Writable } from "node:stream";
import { environment } from "../config/environment.server";
import { log } from "../telemetry/log.server";
import { onStopping } from "./process.server";

/** Node has no Unix datagram sockets, so a small shell passes each line on. It ends with the portal. */
const MESSENGER = 'while read -r state; do systemd-notify "$state"; done';
/** Report after half of the time that systemd waits, as its manual recommends. */
const MICROSECONDS_PER_HALF_MILLISECOND = 2000;
/** Longer pauses gain nothing, and could overflow the timer. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Tells systemd when the portal listens, when it stops, and in between that its event loop still runs, so that systemd
 * restarts a frozen portal. Does nothing without NOTIFY_SOCKET.
 */
export function reportToServiceManager(server: Server): void {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdog } = environment();
  if (socket === undefined) return;
  const tell = startMessenger(socket);
  server.once("listening", () => {
    tell("READY=1");
    if (watchdog === undefined) return;
    const pauseMs = Math.min(watchdog / MICROSECONDS_PER_HALF_MILLISECOND, LONGEST_PAUSE_MS);
    setInterval(() => {
      tell("WATCHDOG=1");
    }, pauseMs).unref();
  });
  onStopping(() => {
    tell("STOPPING=1");
  });
}

function startMessenger(socket: string): (state: string) => void {
  const messenger: ChildProcessByStdio<Writable, null, null> = spawn("/bin/sh", ["-c", MESSENGER], {
    env: { NODE_ENV: "production", NOTIFY_SOCKET: socket },
    stdio: ["pipe", "ignore", "inherit"],
  });
  const failed = (error: Error) => {
    log().error({ err: error }, "systemd not told");
  };
  messenger.once("error", failed);
  messenger.stdin.on("error", failed);
  messenger.unref();
  return (state) => void messenger.stdin.write(`${state}\n`);
}
