import { fork } from "node:child_process";
import { freeAddressAfter } from "./address.mjs";
import { HELP_DESK_BUILD } from "./build.mjs";
import { inProject } from "./project.mjs";

/** Variables of the portal's process alone: its port for metrics, and what systemd tells it. */
const OF_PORTAL_ALONE = ["METRICS_PORT", "METRICS_HOST", "NOTIFY_SOCKET", "WATCHDOG_USEC"];

/**
 * The help desk beside a demo's portal: a process of its own at the next free port, which ends with this one. An
 * attached backend has none.
 * @param {import("./address.mjs").Address} portal
 * @returns {Promise<{ address: import("./address.mjs").Address, start: (onListening: () => void) => void } | undefined>}
 */
export async function demoHelpDesk(portal) {
  if (process.env.BACKEND_URL?.trim()) return undefined;
  const address = await freeAddressAfter(portal);
  if (!address) return undefined;
  // It opens the database that the portal has made, so it starts once the portal listens.
  return { address, start: (onListening) => startHelpDesk(address, onListening) };
}

function startHelpDesk({ host, port }, onListening) {
  const env = { ...process.env, HOST: host, PORT: String(port) };
  for (const name of OF_PORTAL_ALONE) delete env[name];
  // Killed with this process, even without a signal to say so: its channel to us closes.
  const child = fork(
    inProject("scripts", "prepare", "run-demo-help-desk.mjs"),
    [inProject(HELP_DESK_BUILD)],
    {
      env,
      execArgv: ["--max-semi-space-size=8"],
    },
  );
  child.once("message", onListening);
  child.unref();
  child.channel?.unref();
}
