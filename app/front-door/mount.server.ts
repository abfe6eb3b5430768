import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { provideRequestId } from "~/platform/telemetry/log.server";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { finalizeHeaders } from "./response-headers.server";
import { clientAddress, peerAddress } from "./client-address";
import { ConnectionLimits } from "./connection-limits.server";
import { Connections } from "./connections.server";
import { currentRequestId, enterContext, type RequestContext } from "./context.server";
import { decide, reject, type Pass, type Rejection } from "./decision";
import { handOn } from "./hand-on";
import { keepListeningWhileStopping } from "./listen-while-stopping.server";
import { servePackedFile } from "./packed-files.server";
import { Pipelining } from "./pipelining.server";
import { compilePolicy, type FrontDoorPolicy, type FrontDoorRules } from "./policy";
import { declaredLength } from "./request-body";

const REQUEST_START = "http.server.request.start";
const NEW_SOCKET = "net.server.socket";
/** What we accept as a proxy's request id. */
const REQUEST_ID = /^[\w.-]{8,64}$/;
/** Our own id is the last part of a UUID: 48 random bits in twelve characters that are clear on the phone. */
const OWN_REQUEST_ID_FROM = 24;

interface RequestStart {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly server: Server;
}

/** A mounted front door. */
export interface FrontDoor {
  /** Accepts no new connections and keeps none for another request; resolves once the pending ones are answered. */
  drain(): Promise<void>;
  /** Unmounts it. */
  close(): void;
}

/**
 * Puts the front door in front of the process's public server, whichever library made that server. It replaces an
 * earlier one, since a development server loads this module again after an edit.
 * @throws Error when a trusted proxy is neither an address nor a CIDR block
 */
export function mountFrontDoor(policy: FrontDoorPolicy): void {
  provideRequestId(currentRequestId);
  keepAlive(
    "front-door",
    () => openFrontDoor(policy),
    (door) => door.close(),
    (door) => door.drain(),
  );
}

/** The same, for callers that close it themselves. */
export function openFrontDoor(policy: FrontDoorPolicy): FrontDoor {
  const rules = compilePolicy(policy);
  const refuse = policy.onConnectionRefused ?? (() => undefined);
  const limits = new ConnectionLimits(policy.limits, rules.proxies, refuse);
  const connections = new Connections(policy.limits);
  const pipelining = new Pipelining(policy.limits.PIPELINED_REQUESTS, refuse);
  const onSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort === policy.port && limits.admit(socket)) connections.opened(socket);
  };
  let ours: Server | undefined;
  let stopListening: (() => void) | undefined;
  let stepAside: (() => void) | undefined;
  let stopGuarding: (() => void) | undefined;
  const onRequest = (message: unknown): void => {
    const start = message as RequestStart;
    if (start.server !== ours) {
      if (portOf(start.server) !== policy.port) return;
      ours = start.server;
      setTimeouts(ours, policy);
      stopListening = keepListeningWhileStopping(ours);
      if (policy.answerers) stepAside = handOn(ours, policy.answerers);
      // The last to be put before the others: it lets a request through when it is its turn.
      stopGuarding = pipelining.guard(ours);
    }
    if (pipelining.admit(start.socket, start.response)) receive(start, rules, connections, policy);
  };
  subscribe(NEW_SOCKET, onSocket);
  subscribe(REQUEST_START, onRequest);
  return {
    drain: () => {
      stopListening?.();
      return connections.drain();
    },
    close: () => {
      unsubscribe(NEW_SOCKET, onSocket);
      unsubscribe(REQUEST_START, onRequest);
      stopGuarding?.();
      stepAside?.();
      connections.close();
    },
  };
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}

/** Node's own timeouts (ms) as a backstop for ours; they also drop clients that stop reading. */
function setTimeouts(server: Server, { limits }: FrontDoorPolicy): void {
  server.headersTimeout = limits.FIRST_HEAD_MS;
  server.requestTimeout = limits.REQUEST_MS;
  server.timeout = limits.REQUEST_MS;
}

/** Handles one request. An error thrown here would end the process, hence `decideOrReject`. */
function receive(
  start: RequestStart,
  rules: FrontDoorRules,
  connections: Connections,
  { onRejected, onAnswered }: FrontDoorPolicy,
): void {
  const { request, response, socket } = start;
  const { method = "" } = request;
  const decision = decideOrReject(request, rules, connections.isEnding(socket));
  const context = contextOf(request, rules, decision);
  enterContext(context);
  connections.began(socket, request, context.receivedAt);
  response.once("close", () => connections.answered(socket, request));
  const rejectedUpload = decision.kind === "rejected" && declaredLength(request.headers) !== 0;
  if (rejectedUpload) connections.endAfterAnswer(socket);
  // We ignore an Upgrade, but Node's parser reads nothing more on a connection that asked for one.
  const last = rejectedUpload || request.headers.upgrade !== undefined;
  if (decision.kind === "pass") passToApp(request, decision, context);
  const packed = decision.kind === "pass" && servePackedFile(request, response, rules.packedFiles);
  finalizeHeaders(response, {
    context,
    https: rules.publicOrigin?.startsWith("https:") === true,
    allow: decision.kind === "rejected" ? decision.allow : undefined,
    packed,
    lastOfConnection: () => last || connections.draining,
  });
  if (decision.kind === "rejected") {
    routeToRejectionPage(request, decision, context, rules);
    const { status, reason } = decision;
    onRejected?.({ status, reason, requestId: context.requestId, clientAddress: context.clientAddress });
  }
  if (!onAnswered) return;
  const { url: target = "" } = request;
  response.once("close", () => {
    onAnswered({
      requestId: context.requestId,
      method,
      target,
      status: response.statusCode,
      gone: !response.writableFinished,
      ms: Date.now() - context.receivedAt,
    });
  });
}

/** The decision. If it throws, the request is rejected: what we can't judge must not get in. */
function decideOrReject(request: IncomingMessage, rules: FrontDoorRules, ending: boolean): Pass | Rejection {
  // What follows a rejected upload on the same connection may be part of that upload.
  if (ending) return reject(400, "closing", false);
  try {
    return decide(request, rules);
  } catch {
    return reject(400, "fault", false);
  }
}

function contextOf(
  request: IncomingMessage,
  { proxies }: FrontDoorRules,
  decision: Pass | Rejection,
): RequestContext {
  const { headers, socket } = request;
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
    receivedAt: Date.now(),
    setCookies: [],
    memo: new Map(),
  };
  if (decision.kind === "pass") return { ...context, asStranger: decision.asStranger === true };
  return { ...context, rejection: { status: decision.status, api: decision.api } };
}

function passToApp(request: IncomingMessage, { target, asStranger }: Pass, context: RequestContext): void {
  const { headers } = request;
  if (asStranger === true) delete headers.cookie;
  // Headers that an app might trust: the decision has read them, and nothing else may. Without an Origin, Remix's own
  // check, which answers a bare 500, never fires.
  delete headers.forwarded;
  delete headers["x-forwarded-host"];
  delete headers["x-forwarded-proto"];
  delete headers["x-real-ip"];
  delete headers.origin;
  // RFC 9110 §10.1.1: an unknown expectation may be ignored; Node would answer it in English.
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") delete headers.expect;
  headers["x-forwarded-for"] = context.clientAddress;
  headers["x-request-id"] = context.requestId;
  headers["x-received-at"] = String(context.receivedAt);
  if (target !== undefined) request.url = target;
}

/**
 * Turns the request into one for the rejection page. Only the headers that shape this page survive, and the language
 * cookie.
 */
function routeToRejectionPage(
  request: IncomingMessage,
  { status }: Rejection,
  context: RequestContext,
  { publicOrigin, languageCookie }: FrontDoorRules,
): void {
  const [language] = languageCookie.exec(request.headers.cookie ?? "") ?? [];
  const { accept, "accept-encoding": encodings, "user-agent": agent } = request.headers;
  request.method = "GET";
  request.url = `/refused/${status}`;
  request.headers = {
    ...(accept !== undefined && { accept }),
    ...(encodings !== undefined && { "accept-encoding": encodings }),
    ...(agent !== undefined && { "user-agent": agent }),
    ...(language !== undefined && { cookie: language }),
    host: publicOrigin === undefined ? "localhost" : new URL(publicOrigin).host,
    "x-forwarded-for": context.clientAddress,
    "x-request-id": context.requestId,
  };
}
