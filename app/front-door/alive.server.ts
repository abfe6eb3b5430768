import type { IncomingMessage, ServerResponse } from "node:http";

/** What `/healthz` says, and its type. */
export const ALIVE = { body: "ok\n", type: "text/plain; charset=utf-8" } as const;

const READS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

/**
 * Answers `/healthz` without the app, because nginx asks before each request that it passes on.
 * @returns whether it did
 */
export function answerAlive({ method, url }: IncomingMessage, response: ServerResponse): boolean {
  if (!isAskedIfAlive(url) || !READS.has(method)) return false;
  response
    .writeHead(200, { "Content-Type": ALIVE.type, "Content-Length": ALIVE.body.length })
    .end(ALIVE.body);
  return true;
}

/** Whether an address only asks if the process is alive. */
export function isAskedIfAlive(address: string | undefined): boolean {
  return address === "/healthz";
}
