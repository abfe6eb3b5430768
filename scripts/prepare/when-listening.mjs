import { subscribe, unsubscribe } from "node:diagnostics_channel";

const CHANNEL = "tracing:net.server.listen:asyncEnd";

/**
 * Tells when this process listens on a port.
 * @param {number} port
 * @param {() => void} tell
 */
export function whenListening(port, tell) {
  subscribe(CHANNEL, function look({ server }) {
    if (server.address()?.port !== port) return;
    unsubscribe(CHANNEL, look);
    tell();
  });
}
