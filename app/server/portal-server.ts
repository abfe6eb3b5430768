import { type IncomingMessage, maxHeaderSize, Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type DropArgument, Server as NetServer, Socket } from "node:net";
import type { ConnectionRefusal, FrontDoorPolicy } from "./front-door/policy";
import { LINGER_MS } from "./front-door/refused-upload.server";
import { failStartup } from "~/platform/lifecycle/fail-startup.server";
import { addressBucket, peerAddress, type TrustedProxies } from "~/platform/network/client-address";
import { log } from "~/platform/telemetry/log.server";

/** A request that has arrived and is not answered yet. */
interface Unanswered {
  readonly response: ServerResponse;
  /** Begins its answer; set while it waits for earlier answers. */
  begin?: () => void;
}

/**
 * The open connections, and the requests on each that are not answered yet (S105). Node's own limits and timeouts do the
 * rest.
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
   * Begins an answer when all earlier answers of its connection are written. Node reads up to 64 KB at once and
   * hands over every request in it, 2,500 or more, before anything else runs. So a connection with too many unanswered
   * requests is closed; its client must send the rest again (RFC 9112 §9.3.2). No browser pipelines.
   */
  inTurn(socket: Socket, response: ServerResponse, begin: () => void): void {
    // The rest of a chunk is still parsed after the connection was closed, or ended with the answer before.
    if (!socket.writable) return;
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
      // If the answer ends the connection, waiting requests can't be answered.
      if (socket.writable) unanswered[0]?.begin?.();
    });
    if (unanswered[0] === request) begin();
  }

  /** Whether nothing is being answered on a connection. */
  isIdle(socket: Socket): boolean {
    return (this.#open.get(socket) ?? []).length === 0;
  }

  /** Closes the connections on which nothing is being answered. */
  closeIdle(): void {
    for (const [socket, unanswered] of this.#open) if (unanswered.length === 0) socket.destroy();
  }

  #unanswered(socket: Socket): Unanswered[] {
    const known = this.#open.get(socket);
    if (known) return known;
    // A socket of another server: Vite's, in development.
    this.opened(socket);
    return this.#open.get(socket) ?? [];
  }
}

/** Answers an address of the file list: remix-serve's own app. */
export type ServeFile = (request: IncomingMessage, response: ServerResponse) => void;

/** An answer that is written straight to its connection. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** The parts of the listener that the server uses (listener.ts). */
interface Answering {
  readonly limits: FrontDoorPolicy["limits"];
  readonly connections: Connections;
  connected(socket: Socket): void;
  refused(refusal: ConnectionRefusal): void;
  answer(request: IncomingMessage, response: ServerResponse, serveFile: ServeFile): void;
  refuseUnreadable(socket: Socket, status: 400 | 431): Promise<RawAnswer>;
  refuseConnect(request: IncomingMessage): Promise<RawAnswer>;
  lastAnswers(): void;
}

/** Node looks for slow connections this often (ms); its default is 30 s. */
const CHECK_MS = 1000;
/** The error code of Node's parser for a head that is too large. */
const HEAD_TOO_LARGE = "HPE_HEADER_OVERFLOW";
/** All errors of the parser. Timeouts and broken connections are not among them. */
const PARSER = /^HPE_/;

const NOT_HERE = "HOST: not an address of this machine";
/** Why the port can't be listened on, by Node's error code. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "PORT: another process listens on it",
  EACCES: "PORT: this user may not listen on it",
  EADDRNOTAVAIL: NOT_HERE,
  ENOTFOUND: NOT_HERE,
  EAI_AGAIN: NOT_HERE,
};

/**
 * The server for customers, which remix-serve listens with (seam.ts). Cuts off slow clients without an answer (S64),
 * limits connections (S105), answers heads that Node can't read (S112), and ends with the process (S103).
 */
export class PortalServer extends Server {
  readonly #listener: Answering;
  readonly #unreadable = new WeakSet<Socket>();

  /**
   * @param serveFile answers an address of the file list: remix-serve's own app
   * @param headBytes the largest head of a request. Default: Node's, 16 KB (`--max-http-header-size`)
   */
  constructor(listener: Answering, serveFile: ServeFile, headBytes = maxHeaderSize) {
    const { FIRST_HEAD_MS, REQUEST_MS, CONNECTIONS } = listener.limits;
    super({
      maxHeaderSize: headBytes,
      // Otherwise Node itself would answer a head without Host; the front door has a page for that.
      requireHostHeader: false,
      headersTimeout: FIRST_HEAD_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: Math.min(CHECK_MS, FIRST_HEAD_MS / 4, REQUEST_MS / 4),
    });
    this.#listener = listener;
    // Drops clients that stop reading.
    this.timeout = REQUEST_MS;
    this.maxConnections = CONNECTIONS;
    this.on("request", (request, response) => {
      listener.answer(request, response, serveFile);
    });
    // With this event, Node leaves it to us to ask for the body, so a refused one is never sent.
    this.on("checkContinue", (request, response) => {
      listener.answer(request, response, serveFile);
    });
    // An unknown expectation may be ignored (RFC 9110 §10.1.1); Node would answer it in English.
    this.on("checkExpectation", (request, response) => {
      listener.answer(request, response, serveFile);
    });
    this.on("connection", (socket) => {
      listener.connected(socket);
    });
    this.on("drop", (dropped?: DropArgument) => {
      listener.refused({ reason: "all", clientAddress: peerAddress(dropped?.remoteAddress) });
    });
    this.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      if (socket instanceof Socket) this.#answerUnreadable(error, socket);
    });
    // Without this event, Node would close the connection without a word.
    this.on("connect", (request, socket) => {
      if (!(socket instanceof Socket)) return;
      if (listener.connections.isIdle(socket)) this.#answerRaw(socket, listener.refuseConnect(request));
      else socket.destroy();
    });
    this.on("error", (error: NodeJS.ErrnoException) => {
      if (this.listening) log().error({ err: error }, "unexpected failure");
      else
        failStartup([REASONS[error.code ?? ""] ?? `PORT: cannot listen on it: ${error.code ?? "unknown"}`]);
    });
  }

  /** Logs where it listens. remix-serve's callback is left out: it would print a line that isn't JSON. */
  override listen(...given: readonly unknown[]): this {
    this.once("listening", () => {
      log().info({ listensOn: originOf(this.address()) }, "listening");
    });
    const withoutCallback = given.filter((argument) => typeof argument !== "function");
    return super.listen(...(withoutCallback as [number, string]));
  }

  /**
   * Does nothing. remix-serve calls it on the signal to stop, while load balancers still send customers here; the port
   * closes in `drain`. Its callback would only print "undefined".
   */
  override close(): this {
    return this;
  }

  /**
   * Stops listening, and lets each connection end with its next answer. Idle ones stay open for a moment, because a proxy
   * may be sending a form on one right now, and would not send it twice. Resolves once all connections are closed.
   */
  async drain(): Promise<void> {
    if (!this.listening) return;
    this.#listener.lastAnswers();
    const closed = new Promise((resolve) => this.once("close", resolve));
    // Not HTTP's `close`, which ends idle connections at once.
    NetServer.prototype.close.call(this);
    const timer = setTimeout(() => {
      this.#listener.connections.closeIdle();
    }, this.#listener.limits.STOP_IDLE_MS);
    await closed;
    clearTimeout(timer);
  }

  /** Answers a head that Node can't read; by itself, Node would send a bare status line. Then closes the connection. */
  #answerUnreadable({ code = "" }: NodeJS.ErrnoException, socket: Socket): void {
    // Any further input is just as unreadable.
    if (this.#unreadable.has(socket)) return;
    this.#unreadable.add(socket);
    if (!PARSER.test(code) || !socket.writable || !this.#listener.connections.isIdle(socket)) {
      socket.destroy();
      return;
    }
    this.#answerRaw(socket, this.#listener.refuseUnreadable(socket, code === HEAD_TOO_LARGE ? 431 : 400));
  }

  /** Writes an answer for which Node has no response, and closes the connection. */
  #answerRaw(socket: Socket, answer: Promise<RawAnswer>): void {
    socket.on("error", () => socket.destroy());
    answer.then(
      (written) => {
        writeRaw(socket, written);
      },
      (failure: unknown) => {
        log().error({ err: failure }, "unexpected failure");
        socket.destroy();
      },
    );
  }
}

function writeRaw(socket: Socket, { status, headers, body }: RawAnswer): void {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n`);
  socket.end(body);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => {
    clearTimeout(timer);
  });
}

function originOf(at: ReturnType<Server["address"]>): string | null {
  if (at === null || typeof at === "string") return at;
  return `http://${at.family === "IPv6" ? `[${at.address}]` : at.address}:${at.port}`;
}
