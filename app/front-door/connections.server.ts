import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** How long a client may go on sending after it was refused, in ms: time to read the answer, and not to fill our pipe. */
const LINGER_MS = 2000;
const LONGEST_SWEEP_MS = 1000;

/** How long the steps of a request may take, in ms. */
export interface ConnectionTimeouts {
  readonly FIRST_HEAD_MS: number;
  readonly REQUEST_MS: number;
  /** How long a kept connection stays open when the process stops. */
  readonly STOP_IDLE_MS: number;
}

/** A request that is being received or answered, or none: then the next head is awaited. Since when, in ms since 1970. */
interface Line {
  request: IncomingMessage | undefined;
  since: number;
}

/**
 * The open connections of the public server, and who of them takes too long (S64). Node looks at its own time-outs only
 * every 30 s, and they can't be set before a connection is there; here one timer looks at all connections once a
 * second. A client that is too slow is cut off without a word.
 */
export class Connections {
  readonly #lines = new Map<Socket, Line>();
  readonly #ending = new WeakSet<Socket>();
  readonly #patience: ConnectionTimeouts;
  readonly #sweeper: NodeJS.Timeout;
  #draining = false;
  #underWay = 0;
  #whenDrained: (() => void) | undefined;

  constructor(patience: ConnectionTimeouts) {
    this.#patience = patience;
    const shortest = Math.min(patience.FIRST_HEAD_MS, patience.REQUEST_MS);
    this.#sweeper = setInterval(() => this.#sweep(Date.now()), Math.min(LONGEST_SWEEP_MS, shortest / 4));
    this.#sweeper.unref();
  }

  /** A connection is there; its first head is awaited. */
  opened(socket: Socket): Line {
    const line: Line = { request: undefined, since: Date.now() };
    this.#lines.set(socket, line);
    socket.once("close", () => {
      this.#lines.delete(socket);
      this.#lookWhetherDrained();
    });
    return line;
  }

  /** A head has arrived. */
  began(socket: Socket, request: IncomingMessage, at: number): void {
    const line = this.#lines.get(socket) ?? this.opened(socket);
    line.request = request;
    line.since = at;
    this.#underWay += 1;
  }

  /** The answer is written, or nobody waits for it any more. */
  answered(socket: Socket, request: IncomingMessage): void {
    const line = this.#lines.get(socket);
    if (line?.request === request) {
      line.request = undefined;
      line.since = Date.now();
    }
    this.#underWay -= 1;
    this.#lookWhetherDrained();
  }

  /**
   * Ends a connection with the answer that comes next. What the client is still sending is thrown away for two seconds
   * more: closed at once, its system would throw our answer away unread.
   */
  endAfterAnswer(socket: Socket): void {
    if (this.#ending.has(socket)) return;
    this.#ending.add(socket);
    // Node calls this when the last answer of a connection is written.
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      timer.unref();
      socket.once("close", () => clearTimeout(timer));
    };
  }

  /** Whether the connection ends with its next answer, or the whole process does. */
  isEnding(socket: Socket): boolean {
    return this.#ending.has(socket);
  }

  /** Whether the process is stopping: no connection is kept for another request. */
  get draining(): boolean {
    return this.#draining;
  }

  /**
   * Every answer is now the last of its connection. What is idle stays open for a moment: a proxy may be sending a form on
   * it right now, and would never send that twice. Resolves when every request that has begun is answered.
   */
  async drain(): Promise<void> {
    this.#draining = true;
    const { promise, resolve } = withResolvers();
    this.#whenDrained = resolve;
    const timer = setTimeout(() => this.#endIdle(), this.#patience.STOP_IDLE_MS);
    this.#lookWhetherDrained();
    await promise;
    clearTimeout(timer);
  }

  /** Looks after no connection any more. */
  close(): void {
    clearInterval(this.#sweeper);
    this.#lines.clear();
  }

  #lookWhetherDrained(): void {
    if (this.#underWay === 0 && this.#lines.size === 0) this.#whenDrained?.();
  }

  #endIdle(): void {
    for (const [socket, { request }] of this.#lines) if (!request) socket.destroy();
  }

  #sweep(now: number): void {
    const { FIRST_HEAD_MS, REQUEST_MS } = this.#patience;
    for (const [socket, { request, since }] of this.#lines) {
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
