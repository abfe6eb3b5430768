import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { FewPerTurn } from "./few-per-turn";
import { finalizeHeaders } from "./response-headers.server";
import { clientAddress, FORWARDING_HEADERS, peerAddress } from "./client-address";
import { ConnectionLimits } from "./connection-limits.server";
import { Connections } from "./connections.server";
import { setContext, type RequestContext } from "./context.server";
import { decide, reject, type Pass, type Rejection } from "./decision";
import { handOn } from "./hand-on";
import { keepListeningWhileStopping } from "./listen-while-stopping.server";
import { Pipelining } from "./pipelining.server";
import { compilePolicy, type FrontDoorPolicy, type FrontDoorRules } from "./policy";
import type { RejectionStatus } from "./rejection";
import { declaredLength } from "./request-body";
import { passToApp, routeToRejectionPage } from "./rewrite-request";
import { answerUnreadable, type Unreadable } from "./unreadable.server";

const REQUEST_START = "http.server.request.start";
const NEW_SOCKET = "net.server.socket";
/** What we accept as a proxy's request id. */
const REQUEST_ID = /^[\w.-]{8,64}$/;
/**
 * Our own id is the last part of a UUID: 48 random bits in twelve characters that are easy to read out on the phone.
 */
const OWN_REQUEST_ID_FROM = 24;

/** Sent by the page's script with what it fetches. It proves nothing. */
const SCRIPTED_FORM = "x-portal-form";

/** Enough that no hash waits for them: a turn under load takes some 10 ms, a hash 9. */
const WRITES_PER_TURN = 4;

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
 * Puts the front door in front of the process's public server, whichever library made that. Replaces an earlier one,
 * because a development server loads this module again after an edit.
 * @throws Error when a trusted proxy is neither an address nor a CIDR block
 */
export function mountFrontDoor(policy: FrontDoorPolicy): void {
  keepAlive(
    "front-door",
    () => openFrontDoor(policy),
    (door) => door.close(),
    (door) => door.drain(),
  );
}

/** Like `mountFrontDoor`, for callers that close it themselves. */
export function openFrontDoor(policy: FrontDoorPolicy): FrontDoor {
  const rules = compilePolicy(policy);
  const refuse = policy.onConnectionRefused ?? (() => undefined);
  const limits = new ConnectionLimits(policy.limits, rules.proxies, refuse);
  const connections = new Connections(policy.limits);
  const writes = new FewPerTurn(WRITES_PER_TURN);
  const pipelining = new Pipelining(policy.limits.PIPELINED_REQUESTS, refuse);
  const onSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort !== policy.port || !limits.admit(socket)) return;
    connections.opened(socket);
    writes.noteConnection();
  };
  let ours: Server | undefined;
  let stopListening: (() => void) | undefined;
  let stepAside: (() => void) | undefined;
  let stopGuarding: (() => void) | undefined;
  let stopReading: (() => void) | undefined;
  const onRequest = (message: unknown): void => {
    const start = message as RequestStart;
    if (start.server !== ours) {
      if (portOf(start.server) !== policy.port) return;
      ours = start.server;
      setTimeouts(ours, policy);
      stopListening = keepListeningWhileStopping(ours);
      if (policy.answerers) stepAside = handOn(ours, policy.answerers, writes);
      // After `handOn`, so that it comes before all other listeners and lets requests through in turn.
      stopGuarding = pipelining.guard(ours);
      stopReading = answerUnreadable(ours, onUnreadable);
    }
    if (pipelining.admit(start.socket, start.response)) receive(start, rules, connections, policy);
  };
  const onUnreadable = ({ request, response, socket, status }: Unreadable): void => {
    if (!ours || !pipelining.admit(socket, response)) return;
    receive({ request, response, socket, server: ours }, rules, connections, policy, status);
    ours.emit("request", request, response);
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
      stopReading?.();
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

/**
 * Handles one request. An error thrown here would end the process, hence `decideOrReject`.
 * @param unreadable the status for a request whose head could not be read
 */
function receive(
  start: RequestStart,
  rules: FrontDoorRules,
  connections: Connections,
  { onRejected, onUntrustedForward, onAnswered }: FrontDoorPolicy,
  unreadable?: RejectionStatus,
): void {
  const { request, response, socket } = start;
  const { method = "" } = request;
  const decision =
    unreadable === undefined
      ? decideOrReject(request, rules, connections.isEnding(socket))
      : reject(unreadable, "unreadable", false);
  const context = contextFor(request, rules, decision);
  setContext(request, context);
  if (!context.isForwarded && FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined))
    onUntrustedForward?.(context.clientAddress);
  connections.began(socket, request, context.receivedAt);
  response.once("close", () => connections.answered(socket, request));
  const rejectedUpload =
    decision.kind === "rejected" && (unreadable !== undefined || declaredLength(request.headers) !== 0);
  if (rejectedUpload) connections.endAfterAnswer(socket);
  // We ignore an Upgrade, but Node's parser reads nothing more on a connection that asked for one.
  const last = rejectedUpload || request.headers.upgrade !== undefined;
  if (decision.kind === "pass") passToApp(request, decision, context);
  finalizeHeaders(response, {
    context,
    https: rules.publicOrigin?.startsWith("https:") === true,
    isForScript: request.headers[SCRIPTED_FORM] === "1",
    allow: decision.kind === "rejected" ? decision.allow : undefined,
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

/** Decides, and rejects the request if deciding throws: what we can't judge must not get in. */
function decideOrReject(request: IncomingMessage, rules: FrontDoorRules, ending: boolean): Pass | Rejection {
  // What follows a rejected upload on the same connection may be part of that upload.
  if (ending) return reject(400, "closing", false);
  try {
    return decide(request, rules);
  } catch {
    return reject(400, "fault", false);
  }
}

function contextFor(
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
    isForwarded: proxied,
    receivedAt: Date.now(),
    setCookies: [],
    memo: new Map(),
  };
  if (decision.kind === "pass") return { ...context, asStranger: decision.asStranger === true };
  const { status, api, earlierPage } = decision;
  return { ...context, rejection: { status, api, earlierPage } };
}
