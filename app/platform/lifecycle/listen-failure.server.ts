import { subscribe } from "node:diagnostics_channel";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { failStartup } from "./fail-startup.server";

const NOT_HERE = "HOST: not an address of this machine";
/** Why a port can't be listened on, by Node's error code. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "PORT: another process listens on it",
  EACCES: "PORT: this user may not listen on it",
  EADDRNOTAVAIL: NOT_HERE,
};

/** Ends the process with one line if the portal can't listen on its address, where remix-serve would print a stack. */
export async function refuseToStartWithoutAddress(host: string, port: number): Promise<void> {
  if (isIP(host) === 0) await lookup(host).catch(() => failStartup([NOT_HERE]));
  subscribe("tracing:net.server.listen:error", (message) => {
    const { error } = message as { readonly error: NodeJS.ErrnoException & { readonly port?: number } };
    if (error.port === port) failStartup([reasonOf(error)]);
  });
}

function reasonOf({ code = "unknown" }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? `PORT: cannot listen on it: ${code}`;
}
