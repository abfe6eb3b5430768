import type { Server } from "node:http";
import { Server as Listener } from "node:net";
import { isStopping } from "~/platform/process.server";

/**
 * Has a server that is closed because the process stops listen on until the function that this gives is called.
 * `remix-serve` closes its server at the signal itself; a load balancer that asks for `/readyz` now and then would go
 * on sending customers to a closed door.
 */
export function listenOnWhileStopping(server: Server): () => void {
  const close = server.close.bind(server);
  // Without remix-serve's callback, which would write "undefined" into the log.
  server.close = (callback) => (isStopping() ? server : close(callback));
  return () => {
    // Not `close` of HTTP, which ends idle connections at once: a form may be on its way there.
    if (server.listening) Listener.prototype.close.call(server);
  };
}
