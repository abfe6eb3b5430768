import type { Server } from "node:http";
import { Server as Listener } from "node:net";
import { isStopping } from "~/platform/lifecycle/process.server";

/**
 * Keeps a server listening while the process stops, until the returned function is called. `remix-serve` would close it
 * on the signal, and a load balancer that checks `/readyz` only now and then would keep sending customers to a closed
 * port.
 */
export function keepListeningWhileStopping(server: Server): () => void {
  const close = server.close.bind(server);
  // Leaves out remix-serve's callback, which would log "undefined".
  server.close = (callback) => (isStopping() ? server : close(callback));
  return () => {
    // Not HTTP's `close`, which ends idle connections at once: a form may be on its way on one of them.
    if (server.listening) Listener.prototype.close.call(server);
  };
}
