import { IncomingMessage, ServerResponse, type Server } from "node:http";
import type { Socket } from "node:net";
import type { RejectionStatus } from "./rejection";

/** A stand-in for a request that Node's parser gave up on, and its response. */
export interface Unreadable {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly status: Extract<RejectionStatus, 400 | 431>;
}

/** What Node's parser calls a head over 16 KB (`--max-http-header-size`). */
const HEAD_TOO_LARGE = "HPE_HEADER_OVERFLOW";
/** All errors of the parser. Timeouts and broken connections are not among them. */
const PARSER = /^HPE_/;

/**
 * Answers requests with a head that Node can't read; by itself, Node would send a bare status line (S112). The
 * connection is closed after the answer, because nobody knows where the next request begins.
 * @param answer must write to the response
 * @returns a function that undoes it
 */
export function answerUnreadable(server: Server, answer: (unreadable: Unreadable) => void): () => void {
  const seen = new WeakSet<Socket>();
  const onError = (error: NodeJS.ErrnoException, socket: Socket): void => {
    // Whatever else arrives is just as unreadable.
    if (seen.has(socket)) return;
    seen.add(socket);
    const { code = "" } = error;
    const response = PARSER.test(code) ? responseOn(socket) : undefined;
    if (!response) {
      socket.destroy();
      return;
    }
    response.once("finish", () => {
      socket.destroySoon();
    });
    answer({ request: response.req, response, socket, status: code === HEAD_TOO_LARGE ? 431 : 400 });
  };
  server.on("clientError", onError);
  return () => {
    server.off("clientError", onError);
  };
}

/** A response to a made-up request; undefined while another answer is being written. */
function responseOn(socket: Socket): ServerResponse | undefined {
  if (!socket.writable) return undefined;
  const request = new IncomingMessage(socket);
  request.method = "GET";
  request.url = "/";
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.httpVersion = "1.1";
  request.complete = true;
  request.push(null);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  try {
    response.assignSocket(socket);
    return response;
  } catch {
    // ERR_HTTP_SOCKET_ASSIGNED
    return undefined;
  }
}
