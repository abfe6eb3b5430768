import { subscribe } from "node:diagnostics_channel";
import { failStartup } from "./fail-startup.server";

/** Why a port can't be listened on, by Node's error code. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "PORT: another process listens on it",
  EACCES: "PORT: this user may not listen on it",
  EADDRNOTAVAIL: "HOST: not an address of this machine",
  ENOTFOUND: "HOST: not an address of this machine",
};

/** Ends the process with one line if the portal can't listen on its port: remix-serve would print a stack. */
export function refuseToStartWithoutPort(port: number): void {
  subscribe("tracing:net.server.listen:error", (message) => {
    const { error } = message as { readonly error: NodeJS.ErrnoException & { readonly port?: number } };
    if (error.port === port) failStartup([reasonOf(error)]);
  });
}

function reasonOf({ code = "unknown" }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? `PORT: cannot listen on it: ${code}`;
}
