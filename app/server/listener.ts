import type { RequestHandler } from "@remix-run/node";
import { createRequest } from "@remix-run/node-fetch-server";
import compression from "compression";
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { finalizeHeaders, headersOfRawAnswer } from "./front-door/headers.server";
import { answerAlive } from "./front-door/health.server";
import { leftSignal, sendInTime } from "./front-door/slow-readers.server";
import { type RequestContext, hideFromApp, refusalRequest } from "./front-door/context.server";
import { type Pass, READS, type Rejection, decide, declaredLength, isApi, reject } from "./front-door/decide";
import {
  type ConnectionRefusal,
  type FrontDoorPolicy,
  type FrontDoorRules,
  compilePolicy,
} from "./front-door/policy";
import { sendWhileReceiving } from "./front-door/refused-upload.server";
import { FORWARDING_HEADERS, clientAddress, peerAddress } from "~/platform/network/client-address";
import { isFile } from "./files";
import { Connections, type RawAnswer, type ServeFile } from "./portal-server";
import { TurnQueue } from "./turn-queue";

/** The form of a request id that we accept from a trusted proxy. */
const REQUEST_ID = /^[\w.-]{8,64}$/;
/** Where our own request id begins in a UUID: its last part, 12 characters that are easy to read out on the phone. */
const OWN_REQUEST_ID_FROM = 24;

/** The header that the page's script sends with each fetch. Any client can send it, so no check may rely on it. */
const SCRIPTED_FORM = "x-portal-form";

/**
 * How many writes begin in a turn of the event loop: enough to keep the hashing of passwords busy, since a turn under load
 * takes some 10 ms, and a hash 9.
 */
const WRITES_PER_TURN = 4;

/** The paths that are open during maintenance, besides files: health checks, `.well-known`, the choice of a language. */
const OPEN_IN_MAINTENANCE = /^\/(?:(?:healthz|readyz)$|\.well-known\/|language\/)/;

/** Compresses answers. remix-serve uses this middleware too; it works without Express, whatever its types say. */
const compress = compression() as unknown as (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

/** The parts of the portal that answer requests. */
export interface Answerers {
  /** The Remix app: all screens and other routes. */
  readonly app: RequestHandler;
  /** Answers a call of the API. */
  readonly answerCall: (
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
  ) => Promise<void>;
  /** Answers with a page from the cache in memory; returns false if there is none. */
  readonly answerFromMemory: (
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
  ) => Promise<boolean>;
  /** The end of the current maintenance (ms since 1970); undefined unless the portal is closed to customers. */
  readonly maintenanceUntil: (now: number) => number | undefined;
  /** The paths of the files. Only these paths reach `ServeFile`, which would look on the disk for any path. */
  readonly files: ReadonlySet<string>;
  /** Called with an unexpected error; the visitor gets a bare 500. */
  readonly reportFailure: (context: RequestContext, error: unknown) => void;
}

/**
 * Answers every request of customers (docs/decisions/front-door.md): decides by its head, makes its context, and passes it
 * on to the health check, the API, the files, the cached pages, or the app. The built portal and the development server
 * both use this class.
 */
export class Listener {
  readonly limits: FrontDoorPolicy["limits"];
  readonly connections: Connections;
  readonly #rules: FrontDoorRules;
  readonly #answerers: Answerers;
  readonly #writes = new TurnQueue(WRITES_PER_TURN);
  #closesConnections = false;

  /** @throws Error when a trusted proxy is neither an address nor a CIDR block */
  constructor(policy: FrontDoorPolicy, answerers: Answerers) {
    this.limits = policy.limits;
    this.#rules = compilePolicy(policy);
    this.#answerers = answerers;
    this.connections = new Connections(policy.limits, this.#rules.proxies, (refusal) => {
      this.refused(refusal);
    });
  }

  /** Counts a new connection. */
  connected(socket: Socket): void {
    this.connections.opened(socket);
    this.#writes.noteConnection();
  }

  /** Reports a connection that a limit has closed. */
  refused(refusal: ConnectionRefusal): void {
    this.#rules.onConnectionRefused?.(refusal);
  }

  /** Closes each connection after its next answer, from now on: the server is stopping. */
  lastAnswers(): void {
    this.#closesConnections = true;
  }

  /** Answers a request after the earlier requests of the same connection. */
  answer(request: IncomingMessage, response: ServerResponse, serveFile: ServeFile): void {
    this.connections.inTurn(request.socket, response, () => {
      this.#receive(request, response, serveFile);
    });
  }

  /** The answer to a head that Node could not read. */
  refuseUnreadable(socket: Socket, status: 400 | 431): Promise<RawAnswer> {
    return this.#refuseRaw({ method: "GET", headers: {} }, socket, reject(status, "unreadable", false));
  }

  /** The answer to a CONNECT request, for which Node makes no response object. We support no tunnel. */
  refuseConnect(request: IncomingMessage): Promise<RawAnswer> {
    const decision = this.#decide(request);
    // `decide` never lets CONNECT pass; the fallback is for the types.
    const rejection = decision.kind === "rejected" ? decision : reject(400, "fault", false);
    return this.#refuseRaw(request, request.socket, rejection);
  }

  async #refuseRaw(
    { method = "", headers }: Pick<IncomingMessage, "method" | "headers">,
    socket: Socket,
    rejection: Rejection,
  ): Promise<RawAnswer> {
    const { status, allow } = rejection;
    const context = contextFor(headers, socket, this.#rules, rejection);
    this.#reportAnswer(context, method, `/refused/${status}`, { statusCode: status, writableFinished: true });
    const page = await this.#rejectionAnswer(headers, rejection, context);
    const body = new Uint8Array(await page.arrayBuffer());
    return {
      status,
      headers: headersOfRawAnswer(page, body.byteLength, context, this.#isHttps(), allow),
      body,
    };
  }

  #receive(request: IncomingMessage, response: ServerResponse, serveFile: ServeFile): void {
    const { headers, method = "" } = request;
    const decision = this.#decide(request);
    const context = contextFor(headers, request.socket, this.#rules, decision);
    if (!context.isForwarded && FORWARDING_HEADERS.some((name) => headers[name] !== undefined))
      this.#rules.onUntrustedForward?.(context.clientAddress);
    // If there are too many headers, Content-Length may be among the headers that Node doesn't show.
    const isRefusedUpload =
      decision.kind === "rejected" &&
      (decision.reason === "too-many-headers" || declaredLength(headers) !== 0);
    // We ignore an Upgrade header, but after it Node's parser reads no more requests on this connection.
    const isLastRequest = isRefusedUpload || headers.upgrade !== undefined;
    finalizeHeaders(response, {
      context,
      https: this.#isHttps(),
      isForScript: headers[SCRIPTED_FORM] === "1",
      allow: decision.kind === "rejected" ? decision.allow : undefined,
      lastOfConnection: () => isLastRequest || this.#closesConnections,
    });
    if (decision.kind === "rejected") {
      response.once("close", () => {
        this.#reportAnswer(context, method, `/refused/${decision.status}`, response);
      });
      void this.#answerOrFail(response, context, async () => {
        const page = await this.#rejectionAnswer(headers, decision, context);
        if (isRefusedUpload) await sendWhileReceiving(request, response, page);
        else await this.#send(request, response, page);
      });
      return;
    }
    hideFromApp(request, decision, context);
    const { url: target = "" } = request;
    response.once("close", () => {
      this.#reportAnswer(context, method, target, response);
    });
    // The server of Vite has already sent 100 Continue; a second one does no harm (RFC 9110 §15.2).
    if (headers.expect !== undefined) response.writeContinue();
    const answer = () => {
      // The client may hang up while its request waits.
      if (!response.destroyed) this.#pass(request, response, context, serveFile);
    };
    if (READS.has(method)) answer();
    else this.#writes.run(answer);
  }

  /** Decides by the head, and rejects if `decide` throws: a request without a decision must not get in. */
  #decide(request: IncomingMessage): Pass | Rejection {
    try {
      return decide(request, this.#rules);
    } catch {
      return reject(400, "fault", false);
    }
  }

  #pass(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
    serveFile: ServeFile,
  ): void {
    const { method, url = "" } = request;
    const [path = ""] = url.split("?", 1);
    const { answerCall, answerFromMemory, files } = this.#answerers;
    if (answerAlive(request, response)) return;
    if (READS.has(method) && isFile(files, path)) {
      serveFile(request, response);
      return;
    }
    const closedUntil = this.#answerers.maintenanceUntil(context.receivedAt);
    if (closedUntil !== undefined && !OPEN_IN_MAINTENANCE.test(path)) {
      void this.#answerOrFail(response, context, async () => {
        await this.#send(
          request,
          response,
          await this.#maintenanceAnswer(request, path, context, closedUntil),
        );
      });
      return;
    }
    void this.#answerOrFail(response, context, async () => {
      if (isApi(path)) await answerCall(request, response, context);
      else if (!READS.has(method) || !(await answerFromMemory(request, response, context)))
        await this.#send(
          request,
          response,
          await this.#runApp(createRequest(request, response), context, response),
        );
    });
  }

  /** Makes the answer to a rejected request: a page, or JSON under the API. */
  #rejectionAnswer(
    headers: IncomingHttpHeaders,
    rejection: Rejection,
    context: RequestContext,
  ): Promise<Response> {
    const { status, reason } = rejection;
    const { requestId, clientAddress } = context;
    this.#rules.onRejected?.({ status, reason, requestId, clientAddress });
    return this.#runApp(refusalRequest(headers, rejection, context, this.#rules), context);
  }

  /** Makes the answer during maintenance: a page, or JSON under the API. */
  #maintenanceAnswer(
    { headers, method }: IncomingMessage,
    path: string,
    context: RequestContext,
    until: number,
  ): Promise<Response> {
    const maintenance = { until, api: isApi(path), isWrite: !READS.has(method) };
    const page = refusalRequest(headers, { status: 503 }, context, this.#rules);
    return this.#runApp(page, { ...context, maintenance });
  }

  #runApp(request: Request, incoming: RequestContext, response?: ServerResponse): Promise<Response> {
    const { app } = this.#answerers;
    return app(request, { incoming, app, ...(response && { left: () => leftSignal(response) }) });
  }

  async #send(request: IncomingMessage, response: ServerResponse, answer: Response): Promise<void> {
    if (response.destroyed) return;
    compress(request, response, () => undefined);
    await sendInTime(response, answer, this.limits);
  }

  async #answerOrFail(
    response: ServerResponse,
    context: RequestContext,
    answer: () => Promise<void>,
  ): Promise<void> {
    try {
      await answer();
    } catch (error) {
      if (response.destroyed) return;
      this.#answerers.reportFailure(context, error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  }

  #reportAnswer(
    { requestId, receivedAt }: RequestContext,
    method: string,
    target: string,
    { statusCode: status, writableFinished }: Pick<ServerResponse, "statusCode" | "writableFinished">,
  ): void {
    const ms = Date.now() - receivedAt;
    this.#rules.onAnswered?.({ requestId, method, target, status, gone: !writableFinished, ms });
  }

  #isHttps(): boolean {
    return this.#rules.publicOrigin?.startsWith("https:") === true;
  }
}

function contextFor(
  headers: IncomingHttpHeaders,
  socket: Socket,
  { proxies }: FrontDoorRules,
  decision: Pass | Rejection,
): RequestContext {
  const peer = peerAddress(socket.remoteAddress);
  const forwardedFor = headers["x-forwarded-for"];
  const proxied = proxies.has(peer);
  const proposedId = proxied ? headers["x-request-id"] : undefined;
  const context = {
    requestId:
      typeof proposedId === "string" && REQUEST_ID.test(proposedId)
        ? proposedId
        : randomUUID().slice(OWN_REQUEST_ID_FROM),
    clientAddress:
      proxied && typeof forwardedFor === "string" ? clientAddress(peer, forwardedFor, proxies) : peer,
    isForwarded: proxied,
    receivedAt: Date.now(),
    setCookies: [],
  };
  if (decision.kind === "pass") return { ...context, isAnonymous: decision.isAnonymous === true };
  const { status, api } = decision;
  return { ...context, rejection: { status, api } };
}
