import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SECURITY_HEADERS } from "~/server/front-door/headers.server";
import { campaign, type Result } from "../../../../tools/fuzz/campaign";
import { Canaries } from "../../../../tools/fuzz/canaries";

const HEADERS = Object.fromEntries(SECURITY_HEADERS.map(({ name, value }) => [name, value]));
const REQUESTS = 200;
const SEED = 1;

/** A whole page with this body. */
export function page(inside: string): string {
  return `<!DOCTYPE html><html lang="pl"><head><title>Strona</title></head><body>${inside}</body></html>`;
}

/** Answers with a page. */
export function answerWith(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { ...HEADERS, "Content-Type": "text/html" }).end(body);
}

/** How much to send, and a planted server's substitutes for a portal's log, metrics and database. */
interface PlantedOptions {
  readonly requests?: number;
  /** A request without an answer after this many seconds counts as hung. */
  readonly hangSeconds?: number;
  readonly log?: (typed: readonly string[]) => string;
  readonly metrics?: (typed: readonly string[]) => string;
  readonly dump?: (typed: readonly string[]) => string;
}

/** Sends generated requests to a server with a fault, and returns what was found. */
export async function againstPlanted(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
  {
    requests = REQUESTS,
    hangSeconds,
    log = () => "-",
    metrics = () => "-",
    dump = () => "-",
  }: PlantedOptions = {},
): Promise<Result> {
  const typed: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        typed.push(body);
        answer(request, body, response);
      },
      () => response.destroy(),
    );
  });
  // The portal answers a request that Node can't read like this.
  const heads = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`);
  const refusal = ["HTTP/1.1 400 Bad Request", ...heads, "Connection: close", "", ""].join("\r\n");
  server.on("clientError", (_error, socket) => socket.end(refusal));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const outbox = { codeTo: () => Promise.resolve(undefined), close: () => Promise.resolve() };
  const lastCode = () => Promise.reject(new Error("nobody asks"));
  const result = await campaign({
    ground: {
      portal: { origin: `http://127.0.0.1:${port}`, port, lastCode, log: () => log(typed) },
      outbox,
      secrets: ["Tajny-Klucz-1234"],
      customers: 1000,
      metrics: () => Promise.resolve(metrics(typed)),
      dump: () => Promise.resolve(dump(typed)),
      residentMb: () => 0,
    },
    canaries: new Canaries(),
    requests,
    seed: SEED,
    ...(hangSeconds !== undefined && { hangSeconds }),
  });
  server.closeAllConnections();
  server.close();
  return result;
}

/** The names of all faults. */
export function namesOf({ findings }: Result): readonly string[] {
  return findings.flatMap(({ faults }) => faults.map(({ name }) => name));
}
