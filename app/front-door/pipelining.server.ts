import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { peerAddress } from "./client-address";
import type { ConnectionRefusal } from "./policy";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A request that has arrived and is not answered yet. */
interface Unanswered {
  readonly response: ServerResponse;
  /** Hands it to the app; set while it waits for those before it. */
  start?: () => void;
}

/**
 * Answers one request per connection at a time (S105). Node reads up to 64 KB at once and hands over every request in
 * it, 2,500 or more, before anything else runs. So further requests wait here, and a connection with too many
 * unanswered ones is closed; its client must send the rest again (RFC 9112 §9.3.2). No browser pipelines.
 */
export class Pipelining {
  readonly #most: number;
  readonly #onRefused: (refusal: ConnectionRefusal) => void;
  readonly #unanswered = new WeakMap<Socket, Unanswered[]>();

  /**
   * @param most how many requests of a connection may be unanswered
   * @param onRefused called once for each connection with more
   */
  constructor(most: number, onRefused: (refusal: ConnectionRefusal) => void) {
    this.#most = most;
    this.#onRefused = onRefused;
  }

  /**
   * Admits a request whose head has arrived. If it returns false, the connection is closed and the app never sees the
   * request.
   */
  admit(socket: Socket, response: ServerResponse): boolean {
    // The rest of a chunk is still parsed after the connection was closed.
    if (socket.destroyed) return false;
    const unanswered = this.#unanswered.get(socket) ?? [];
    if (unanswered.length >= this.#most) {
      destroyCheaply(socket);
      this.#onRefused({ reason: "pipelining", clientAddress: peerAddress(socket.remoteAddress) });
      return false;
    }
    unanswered.push({ response });
    this.#unanswered.set(socket, unanswered);
    response.once("close", () => {
      this.#answered(socket, response);
    });
    return true;
  }

  /**
   * Makes the server's app get each request only when it is its turn. Add listeners that answer before calling this, or
   * they will answer out of turn.
   * @returns a function that undoes it
   */
  guard(server: Server): () => void {
    const app = server.rawListeners("request") as Listener[];
    const guarded: Listener = (request, response) => {
      this.#start(request.socket, response, () => {
        for (const listener of app) listener.call(server, request, response);
      });
    };
    server.removeAllListeners("request").on("request", guarded);
    return () => {
      server.off("request", guarded);
      for (const listener of app) server.on("request", listener);
    };
  }

  #start(socket: Socket, response: ServerResponse, start: () => void): void {
    const unanswered = this.#unanswered.get(socket) ?? [];
    const request = unanswered.find((candidate) => candidate.response === response);
    if (!request) return;
    if (request === unanswered[0]) start();
    // Bind it to this request's context, because it starts while another request ends.
    else request.start = AsyncResource.bind(start);
  }

  #answered(socket: Socket, response: ServerResponse): void {
    const unanswered = this.#unanswered.get(socket) ?? [];
    const at = unanswered.findIndex((candidate) => candidate.response === response);
    if (at !== -1) unanswered.splice(at, 1);
    // If the answer ends the connection, waiting requests can't be answered, so don't start them.
    if (socket.writable) unanswered[0]?.start?.();
    else this.#unanswered.delete(socket);
  }
}

/**
 * Destroys a connection with many requests. Node makes an error for each; their stacks, which nobody reads, would take
 * half the time.
 */
function destroyCheaply(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependOnceListener("close", () => {
    Error.stackTraceLimit = 0;
  });
  socket.once("close", () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  socket.destroy();
}
