import { Agent, request, type OutgoingHttpHeaders } from "node:http";

/** A request, as it goes over the wire; Host and Content-Length are added. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** A list of values is sent as one line each. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** The parts of an answer that measurements need. */
export interface WireAnswer {
  readonly status: number;
  readonly setCookies: readonly string[];
}

/** A client of one server that keeps its connections open, as a proxy does. */
export interface KeepAliveClient {
  /** Sends a request and reads the whole answer. @throws Error if the connection breaks */
  send(question: WireRequest): Promise<WireAnswer>;
  close(): void;
}

/** A client with at most this many connections to a port of 127.0.0.1. */
export function keepAliveClient(port: number, connections: number): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send: (question) => send(agent, port, question),
    close: () => {
      agent.destroy();
    },
  };
}

function send(agent: Agent, port: number, { method, path, headers, body }: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const all: OutgoingHttpHeaders = { ...copied(headers), ...length };
    const sent = request({ host: "127.0.0.1", port, agent, method, path, headers: all }, (answer) => {
      answer.once("error", reject);
      answer.resume().once("end", () => {
        resolve({ status: answer.statusCode ?? 0, setCookies: answer.headers["set-cookie"] ?? [] });
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

/** Node doesn't take read-only lists. */
function copied(headers: WireRequest["headers"]): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );
}

/** Does this work for each item, this many at a time. */
export async function forEachOf<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
