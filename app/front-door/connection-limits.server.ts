import type { Socket } from "node:net";
import { addressBucket } from "~/platform/network/address-bucket";
import { levels } from "~/platform/telemetry/metric-kinds.server";
import { peerAddress, type TrustedProxies } from "./client-address";
import type { ConnectionRefusal } from "./policy";

/** How many connections may be open at once. */
interface ConnectionCaps {
  /** From everyone together. */
  readonly CONNECTIONS: number;
  /** From one IPv4 address, or one /64 of IPv6. */
  readonly ADDRESS_CONNECTIONS: number;
}

const openLevels = levels({
  open: { name: "portal_connections_open", help: "Connections of customers and proxies that are open" },
});

/**
 * Counts the open connections of the public server, in all and per peer address (S105). Trusted proxies have no limit
 * per address, because everybody's connections come from them; they limit addresses themselves.
 */
export class ConnectionLimits {
  readonly #caps: ConnectionCaps;
  readonly #proxies: TrustedProxies;
  readonly #onRefused: (refusal: ConnectionRefusal) => void;
  readonly #perAddress = new Map<string, number>();
  #open = 0;

  constructor(
    caps: ConnectionCaps,
    proxies: TrustedProxies,
    onRefused: (refusal: ConnectionRefusal) => void,
  ) {
    this.#caps = caps;
    this.#proxies = proxies;
    this.#onRefused = onRefused;
    openLevels.feed(() => ({ open: this.#open }));
  }

  /** Counts a new connection until it closes. Closes it and returns false if it is one too many. */
  admit(socket: Socket): boolean {
    const peer = peerAddress(socket.remoteAddress);
    const reason = this.#reasonToRefuse(peer);
    if (reason) {
      socket.destroy();
      this.#onRefused({ reason, clientAddress: peer });
      return false;
    }
    const bucket = addressBucket(peer);
    this.#count(bucket, 1);
    socket.once("close", () => {
      this.#count(bucket, -1);
    });
    return true;
  }

  #reasonToRefuse(peer: string): ConnectionRefusal["reason"] | undefined {
    if (this.#open >= this.#caps.CONNECTIONS) return "all";
    if (this.#proxies.has(peer)) return undefined;
    const fromHere = this.#perAddress.get(addressBucket(peer)) ?? 0;
    return fromHere >= this.#caps.ADDRESS_CONNECTIONS ? "address" : undefined;
  }

  #count(bucket: string, more: 1 | -1): void {
    this.#open += more;
    const fromHere = (this.#perAddress.get(bucket) ?? 0) + more;
    if (fromHere > 0) this.#perAddress.set(bucket, fromHere);
    else this.#perAddress.delete(bucket);
  }
}
