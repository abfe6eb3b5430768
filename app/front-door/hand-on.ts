import type { IncomingMessage, Server, ServerResponse } from "node:http";
import compression from "compression";
import type { FewPerTurn } from "./few-per-turn";
import { isFile } from "./files.server";

/** The library that remix-serve uses; it needs nothing of Express. */
const compress = compression() as unknown as (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

const READS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);
/** A call of the API, as the contract writes it. */
const CALL = /^\/(?:home|cp)\/api\//;
const CALL_METHODS: ReadonlySet<string | undefined> = new Set(["GET", "POST", "PUT", "DELETE"]);

/**
 * Answers a request if the answer is in memory.
 * @returns whether it answered; a promise if it must look something up first
 */
type AnswerFromMemory = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** Answers a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What answers requests that the front door lets in. The server's own listeners answer files. */
export interface Answerers {
  readonly answerCall: Answer;
  readonly answerFromMemory: AnswerFromMemory;
  readonly answerFromApp: Answer;
  /** The addresses that are files. */
  readonly files: ReadonlySet<string>;
}

/**
 * Hands each request of a server to what answers it. The server's own listeners (Express) get the files and nothing else:
 * they look on the disk for each address, and what they don't find they pass on without its context.
 * @param writes paces the requests that write
 * @returns a function that gives all requests back to the listeners
 */
export function handOn(server: Server, answerers: Answerers, writes: FewPerTurn): () => void {
  const { answerCall, answerFromMemory, answerFromApp, files } = answerers;
  const listeners = server.listeners("request") as Answer[];
  const toFiles: Answer = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  const toApp = (request: IncomingMessage, response: ServerResponse) => {
    compress(request, response, () => {
      answerFromApp(request, response);
    });
  };
  const answer: Answer = (request, response) => {
    const path = pathOf(request);
    if (CALL.test(path) && CALL_METHODS.has(request.method)) {
      answerCall(request, response);
      return;
    }
    if (READS.has(request.method) && isFile(files, path)) {
      toFiles(request, response);
      return;
    }
    const answered = answerFromMemory(request, response);
    if (answered === false) toApp(request, response);
    else if (answered !== true) {
      void answered.then(
        (isAnswered) => {
          if (!isAnswered) toApp(request, response);
        },
        () => response.destroy(),
      );
    }
  };
  server.removeAllListeners("request").on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (READS.has(request.method)) answer(request, response);
    // The client may hang up while its request waits.
    else
      writes.run(() => {
        if (!response.destroyed) answer(request, response);
      });
  });
  return () => {
    server.removeAllListeners("request");
    for (const listener of listeners) server.on("request", listener);
  };
}

function pathOf({ url = "" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
