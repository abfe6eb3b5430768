import { Server, STATUS_CODES } from "node:http";
import { Server as NetServer, Socket, type DropArgument } from "node:net";
import { peerAddress } from "~/front-door/policy";
import { LINGER_MS } from "~/front-door/send.server";
import { failStartup } from "~/platform/lifecycle/fail-startup.server";
import { log } from "~/platform/telemetry/log.server";
import type { Listener, ServeFile } from "./listener";

/** Node looks for slow connections this often (ms); its default is 30 s. */
const CHECK_MS = 1000;
/** What Node's parser calls a head over 16 KB (`--max-http-header-size`). */
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
  readonly #listener: Listener;
  readonly #unreadable = new WeakSet<Socket>();

  /** @param serveFile answers an address of the file list: remix-serve's own app */
  constructor(listener: Listener, serveFile: ServeFile) {
    const { FIRST_HEAD_MS, REQUEST_MS, CONNECTIONS } = listener.limits;
    super({
      // Without, Node answers a head that lacks Host by itself; the front door has a page for it.
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
      if (!(socket instanceof Socket)) return;
      this.#answerUnreadable(error, socket).catch((failure: unknown) => {
        log().error({ err: failure }, "unexpected failure");
        socket.destroy();
      });
    });
    this.on("error", (error: NodeJS.ErrnoException) => {
      if (this.listening) log().error({ err: error }, "unexpected failure");
      else
        failStartup([REASONS[error.code ?? ""] ?? `PORT: cannot listen on it: ${error.code ?? "unknown"}`]);
    });
  }

  /**
   * Does nothing. remix-serve calls it at the signal, when load balancers still send customers here; the port closes in
   * `drain`. Its callback would only print "undefined".
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
  async #answerUnreadable({ code = "" }: NodeJS.ErrnoException, socket: Socket): Promise<void> {
    // Whatever else arrives is just as unreadable.
    if (this.#unreadable.has(socket)) return;
    this.#unreadable.add(socket);
    if (!PARSER.test(code) || !socket.writable || !this.#listener.connections.isIdle(socket)) {
      socket.destroy();
      return;
    }
    const status = code === HEAD_TOO_LARGE ? 431 : 400;
    const { headers, body } = await this.#listener.refuseUnreadable(socket, status);
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n`);
    socket.end(body);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => {
      clearTimeout(timer);
    });
  }
}
