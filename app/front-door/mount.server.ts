import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { provideRequestId } from "~/platform/log.server";
import { keepAlive } from "~/platform/process.server";
import { ownHeaders } from "./response-headers.server";
import { clientAddress, peerAddress } from "./client-address";
import { Connections } from "./connections.server";
import { currentRequestId, enterContext, type RequestContext } from "./context.server";
import { decide, reject, type Pass, type Rejection } from "./decision";
import { listenOnWhileStopping } from "./listen-while-stopping.server";
import { servePackedFile } from "./packed-files.server";
import { compilePolicy, type FrontDoorPolicy, type FrontDoorRules } from "./policy";
import { declaredLength } from "./request-body";

const REQUEST_START = "http.server.request.start";
const NEW_SOCKET = "net.server.socket";
/** A proxy's request id is believed in this form. */
const REQUEST_ID = /^[\w.-]{8,64}$/;
/** Ours: the last part of a UUID, 48 random bits as twelve characters that can be told apart on the telephone. */
const OWN_REQUEST_ID_FROM = 24;

interface RequestStart {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly server: Server;
}

/** A front door in place. */
export interface FrontDoor {
  /** Takes no connection more, keeps none for another request; resolves when those under way are answered. */
  drain(): Promise<void>;
  /** Takes it away. */
  close(): void;
}

/**
 * Puts the front door before the process's public server, whichever library made that server. A door that was there
 * before (a development server loads this again after an edit) makes way for it.
 * @throws Error in words when a trusted proxy is neither an address nor a CIDR block
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

/** The same, for those who take it away themselves. */
export function openFrontDoor(policy: FrontDoorPolicy): FrontDoor {
  const rules = compilePolicy(policy);
  const connections = new Connections(policy.limits);
  const onSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort === policy.port) connections.opened(socket);
  };
  let ours: Server | undefined;
  let stopListening: (() => void) | undefined;
  const onRequest = (message: unknown): void => {
    const start = message as RequestStart;
    if (start.server !== ours) {
      if (portOf(start.server) !== policy.port) return;
      ours = start.server;
      setTimeouts(ours, policy);
      stopListening = listenOnWhileStopping(ours);
    }
    receive(start, rules, connections, policy);
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
      connections.close();
    },
  };
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}

/** Node's own time-outs, in ms, behind ours; and an end for who accepts no byte of the answer. */
function setTimeouts(server: Server, { limits }: FrontDoorPolicy): void {
  server.headersTimeout = limits.FIRST_HEAD_MS;
  server.requestTimeout = limits.REQUEST_MS;
  server.timeout = limits.REQUEST_MS;
}

/** One request: its context, the decision, and what follows from it. An error here would end the process: see `judge`. */
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
  const refusedUpload = decision.kind === "refused" && declaredLength(request.headers) !== 0;
  if (refusedUpload) connections.endAfterAnswer(socket);
  // We speak no other protocol, but after such an offer Node's parser reads nothing more on the connection.
  const last = refusedUpload || request.headers.upgrade !== undefined;
  if (decision.kind === "come-in") passToApp(request, decision, context);
  const packed = decision.kind === "come-in" && servePackedFile(request, response, rules.packedFiles);
  ownHeaders(response, {
    context,
    https: rules.publicOrigin?.startsWith("https:") === true,
    allow: decision.kind === "refused" ? decision.allow : undefined,
    packed,
    lastOfConnection: () => last || connections.draining,
  });
  if (decision.kind === "refused") {
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

/** The decision; a fault in it refuses, since what can't be judged must not come in. */
function decideOrReject(request: IncomingMessage, rules: FrontDoorRules, ending: boolean): Pass | Rejection {
  // What follows a refused upload on its connection may be a part of that upload.
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
  if (decision.kind === "come-in") return context;
  return { ...context, refusal: { status: decision.status, api: decision.api } };
}

function passToApp(request: IncomingMessage, { target }: Pass, context: RequestContext): void {
  const { headers } = request;
  // What an app could take for the truth about a client: the decision has read it, and nobody else does. Without an
  // Origin Remix's own check, which answers a bare 500, never fires.
  delete headers.forwarded;
  delete headers["x-forwarded-host"];
  delete headers["x-forwarded-proto"];
  delete headers["x-real-ip"];
  delete headers.origin;
  // RFC 9110 §10.1.1: an expectation that we don't know may be ignored; Node would answer it in English.
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") delete headers.expect;
  headers["x-forwarded-for"] = context.clientAddress;
  headers["x-request-id"] = context.requestId;
  if (target !== undefined) request.url = target;
}

/**
 * Makes the request one for the refusal's own route. Nothing of it is left that could be read as anything else, but in
 * which language to say so.
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
