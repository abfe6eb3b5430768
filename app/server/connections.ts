import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressBucket } from "~/platform/network/address-bucket";
import {
  type ConnectionRefusal,
  type FrontDoorPolicy,
  type TrustedProxies,
  peerAddress,
} from "~/front-door/policy";

/** A request that has arrived and is not answered yet. */
interface Unanswered {
  readonly response: ServerResponse;
  /** Begins its answer; set while it waits for those before it. */
  begin?: () => void;
}

/**
 * The open connections, and the requests on each that are not answered yet (S105). Node's own limits and timeouts do the
 * rest (portal-server.ts).
 */
export class Connections {
  readonly #limits: FrontDoorPolicy["limits"];
  readonly #proxies: TrustedProxies;
  readonly #onRefused: (refusal: ConnectionRefusal) => void;
  readonly #open = new Map<Socket, Unanswered[]>();
  readonly #perAddress = new Map<string, number>();

  constructor(
    limits: FrontDoorPolicy["limits"],
    proxies: TrustedProxies,
    onRefused: (refusal: ConnectionRefusal) => void,
  ) {
    this.#limits = limits;
    this.#proxies = proxies;
    this.#onRefused = onRefused;
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Counts a new connection until it closes. Closes it if it is one too many from its address. Trusted proxies have no
   * limit per address, because everybody's connections come from them; they limit addresses themselves.
   */
  opened(socket: Socket): void {
    const peer = peerAddress(socket.remoteAddress);
    const bucket = addressBucket(peer);
    const fromHere = this.#perAddress.get(bucket) ?? 0;
    if (!this.#proxies.has(peer) && fromHere >= this.#limits.ADDRESS_CONNECTIONS) {
      socket.destroy();
      this.#onRefused({ reason: "address", clientAddress: peer });
      return;
    }
    this.#perAddress.set(bucket, fromHere + 1);
    this.#open.set(socket, []);
    socket.once("close", () => {
      this.#open.delete(socket);
      const left = (this.#perAddress.get(bucket) ?? 1) - 1;
      if (left > 0) this.#perAddress.set(bucket, left);
      else this.#perAddress.delete(bucket);
    });
  }

  /**
   * Begins an answer when those to earlier requests of its connection are written. Node reads up to 64 KB at once and
   * hands over every request in it, 2,500 or more, before anything else runs. So a connection with too many unanswered
   * requests is closed; its client must send the rest again (RFC 9112 §9.3.2). No browser pipelines.
   */
  inTurn(socket: Socket, response: ServerResponse, begin: () => void): void {
    // The rest of a chunk is still parsed after the connection was closed.
    if (socket.destroyed) return;
    const unanswered = this.#unanswered(socket);
    if (unanswered.length >= this.#limits.PIPELINED_REQUESTS) {
      socket.destroy();
      this.#onRefused({ reason: "pipelining", clientAddress: peerAddress(socket.remoteAddress) });
      return;
    }
    const request: Unanswered = unanswered.length === 0 ? { response } : { response, begin };
    unanswered.push(request);
    response.once("close", () => {
      unanswered.splice(unanswered.indexOf(request), 1);
      // If the answer ends the connection, what waits can't be answered.
      if (socket.writable) unanswered[0]?.begin?.();
    });
    if (unanswered[0] === request) begin();
  }

  /** Whether nothing is being answered on a connection. */
  isIdle(socket: Socket): boolean {
    return (this.#open.get(socket) ?? []).length === 0;
  }

  /** Closes those on which nothing is being answered. */
  closeIdle(): void {
    for (const [socket, unanswered] of this.#open) if (unanswered.length === 0) socket.destroy();
  }

  #unanswered(socket: Socket): Unanswered[] {
    const known = this.#open.get(socket);
    if (known) return known;
    // Another server's: that of Vite, in development.
    this.opened(socket);
    return this.#open.get(socket) ?? [];
  }
}
