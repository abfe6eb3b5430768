import { Agent, request, type IncomingMessage } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";

/** A server's answer, header line by header line; redirects are not followed. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** The value of a header, several lines joined by a comma and a space; undefined if there is none. */
  readonly header: (name: string) => string | undefined;
  /** Each line of a header. */
  readonly lines: (name: string) => readonly string[];
  /** The names of all headers received, in lower case, repeats included. */
  readonly headerNames: readonly string[];
}

/** A request to 127.0.0.1. */
export interface HttpRequest {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Over TLS, with any certificate. */
  readonly secure?: boolean | undefined;
  /** The client's address, one of 127.0.0.0/8. Default: 127.0.0.1. */
  readonly from?: string;
}

/** Each request has its own connection: fifty in parallel are fifty, and a cut connection affects no other request. */
const connections = new Agent({ keepAlive: false, maxSockets: Infinity });
const tlsConnections = new TlsAgent({
  keepAlive: false,
  maxSockets: Infinity,
  rejectUnauthorized: false,
});

/** Sends one request with only these headers, Host and Content-Length; fetch would add its own. */
export async function ask({
  port,
  path,
  method = "GET",
  headers = {},
  body,
  secure = false,
  from = "127.0.0.1",
}: HttpRequest): Promise<HttpAnswer> {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const isChunked = Object.keys(headers).some((name) => name.toLowerCase() === "transfer-encoding");
    const length =
      body === undefined || isChunked ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const agent = secure ? tlsConnections : connections;
    const all = { ...length, ...headers };
    const question = { host: "127.0.0.1", localAddress: from, port, path, method, headers: all, agent };
    const sent = (secure ? tlsRequest : request)(question, resolve);
    sent.on("error", reject);
    sent.end(body);
  });
  return answerOf(message);
}

async function answerOf(message: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const pairs = message.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [{ name: name.toLowerCase(), value: message.rawHeaders[at + 1] ?? "" }] : [],
  );
  const lines = (name: string) =>
    pairs.filter((pair) => pair.name === name.toLowerCase()).map(({ value }) => value);
  return {
    status: message.statusCode ?? 0,
    body: Buffer.concat(chunks).toString("utf8"),
    lines,
    header: (name) => (lines(name).length === 0 ? undefined : lines(name).join(", ")),
    headerNames: pairs.map(({ name }) => name),
  };
}
