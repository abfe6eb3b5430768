import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** How long a rejected client may go on sending, in ms: enough to read the answer, too short to hog our bandwidth. */
const LINGER_MS = 2000;
const MAX_SWEEP_MS = 1000;

/** How long each step of a request may take, in ms. */
interface ConnectionTimeouts {
  readonly FIRST_HEAD_MS: number;
  readonly REQUEST_MS: number;
  /** How long an idle connection stays open while the process stops. */
  readonly STOP_IDLE_MS: number;
}

/** The request being received or answered, if any; without one we wait for the next head. `since` in ms since 1970. */
interface Connection {
  request: IncomingMessage | undefined;
  since: number;
  /** How many requests have arrived and are not answered yet, including those that wait behind another. */
  unanswered: number;
}

/**
 * The open connections of the public server. Cuts off slow ones without an answer (S64). Node checks its own timeouts
 * only every 30 s, and they can't be set before a connection exists; here one timer checks all connections once a
 * second.
 */
export class Connections {
  readonly #connections = new Map<Socket, Connection>();
  readonly #ending = new WeakSet<Socket>();
  readonly #timeouts: ConnectionTimeouts;
  readonly #sweeper: NodeJS.Timeout;
  #draining = false;
  #pending = 0;
  #whenDrained: (() => void) | undefined;

  constructor(timeouts: ConnectionTimeouts) {
    this.#timeouts = timeouts;
    const shortest = Math.min(timeouts.FIRST_HEAD_MS, timeouts.REQUEST_MS);
    this.#sweeper = setInterval(() => this.#sweep(Date.now()), Math.min(MAX_SWEEP_MS, shortest / 4));
    this.#sweeper.unref();
  }

  /** A connection was opened; its first head is still to come. */
  opened(socket: Socket): Connection {
    const connection: Connection = { request: undefined, since: Date.now(), unanswered: 0 };
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      this.#connections.delete(socket);
      // A response that waits behind another one never emits "close".
      this.#pending -= connection.unanswered;
      this.#checkDrained();
    });
    return connection;
  }

  /** A head has arrived. */
  began(socket: Socket, request: IncomingMessage, at: number): void {
    const connection = this.#connections.get(socket) ?? this.opened(socket);
    connection.request = request;
    connection.since = at;
    connection.unanswered += 1;
    this.#pending += 1;
  }

  /** The answer was written, or the client hung up. */
  answered(socket: Socket, request: IncomingMessage): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    if (connection.request === request) {
      connection.request = undefined;
      connection.since = Date.now();
    }
    connection.unanswered -= 1;
    this.#pending -= 1;
    this.#checkDrained();
  }

  /**
   * Closes a connection after the next answer. Whatever the client is still sending is discarded for two more seconds:
   * if we closed at once, its TCP stack would drop our answer unread.
   */
  endAfterAnswer(socket: Socket): void {
    if (this.#ending.has(socket)) return;
    this.#ending.add(socket);
    // Node calls this once a connection's last answer is written.
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      timer.unref();
      socket.once("close", () => clearTimeout(timer));
    };
  }

  /** Whether `endAfterAnswer` was called for the connection. */
  isEnding(socket: Socket): boolean {
    return this.#ending.has(socket);
  }

  /** Whether the process is stopping, so no connection is kept for another request. */
  get draining(): boolean {
    return this.#draining;
  }

  /**
   * Makes each connection close after its answer. Idle ones stay open for a moment, because a proxy may be sending a
   * form on one right now, and would not send it twice. Resolves once all requests are answered and all connections
   * closed.
   */
  async drain(): Promise<void> {
    this.#draining = true;
    const { promise, resolve } = withResolvers();
    this.#whenDrained = resolve;
    const timer = setTimeout(() => this.#endIdle(), this.#timeouts.STOP_IDLE_MS);
    this.#checkDrained();
    await promise;
    clearTimeout(timer);
  }

  /** Stops watching; the connections themselves stay as they are. */
  close(): void {
    clearInterval(this.#sweeper);
    this.#connections.clear();
  }

  #checkDrained(): void {
    if (this.#pending === 0 && this.#connections.size === 0) this.#whenDrained?.();
  }

  #endIdle(): void {
    for (const [socket, { request }] of this.#connections) if (!request) socket.destroy();
  }

  #sweep(now: number): void {
    const { FIRST_HEAD_MS, REQUEST_MS } = this.#timeouts;
    for (const [socket, { request, since }] of this.#connections) {
      const tooSlow = request ? !request.complete && now - since > REQUEST_MS : now - since > FIRST_HEAD_MS;
      if (tooSlow) socket.destroy();
    }
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
