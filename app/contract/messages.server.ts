/**
 * A call on its way to the backend, as plain data instead of HTTP. A `Request` and a `Response` cost more than most
 * calls, so they are made only for documents and other servers.
 */
export interface CallMessage {
  readonly method: string;
  /** The path, without a query: no call has one. */
  readonly path: string;
  readonly headers: MessageHeaders;
  /** JSON, complete or still arriving. Its reader may leave it early, and the answer can still be sent. */
  readonly body: string | AsyncIterable<Uint8Array>;
  /**
   * Makes a signal that is aborted when the client has left or the answer has been sent. Not a signal, since most calls
   * need none.
   */
  readonly left?: (() => AbortSignal) | undefined;
}

/** The answer on its way back. */
export interface AnswerMessage {
  readonly status: number;
  readonly headers: MessageHeaders;
  /** Its `Set-Cookie` lines, which are not among the headers. */
  readonly setCookies: readonly string[];
  /** JSON, a document, or nothing: an empty text. */
  readonly body: string | ReadableStream<Uint8Array>;
}

/** Header values by their names in lower case. */
export type MessageHeaders = Readonly<Record<string, string | undefined>>;

/** Writes an answer for HTTP. */
export function responseOf({ status, headers, setCookies, body }: AnswerMessage): Response {
  const response = new Response(body === "" ? null : body, { status });
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) response.headers.set(name, value);
  for (const line of setCookies) response.headers.append("Set-Cookie", line);
  return response;
}

/**
 * The JSON of an answer.
 * @throws Error when it is a document, or not JSON
 */
export function jsonIn({ body }: AnswerMessage): unknown {
  if (typeof body !== "string") throw new Error("The answer is a document");
  return JSON.parse(body);
}
