import type { IncomingMessage, ServerResponse } from "node:http";
import { isDiverting } from "~/platform/lifecycle/process.server";
import { DOCTOR_HEADER } from "~/platform/network/doctor-question.server";
import { READS } from "./decide";

/** An answer of `/healthz`. */
interface Health {
  readonly status: 200 | 503;
  readonly type: string;
  readonly body: string;
}

const TYPE = "text/plain; charset=utf-8";
const ALIVE: Health = { status: 200, type: TYPE, body: "ok\n" };
/** No connection may be on its way when the port closes: the system would reset it, and a form on it would be lost. */
const DIVERTING: Health = { status: 503, type: TYPE, body: "stopping\n" };

/** The current answer of `/healthz`: the process is alive, or about to close its port. */
export function health(): Health {
  return isDiverting() ? DIVERTING : ALIVE;
}

/**
 * Answers `/healthz` without the app, because nginx asks before each request that it passes on.
 * @returns whether it did; `portal doctor` asks for more, and the app answers it
 */
export function answerAlive({ method, url, headers }: IncomingMessage, response: ServerResponse): boolean {
  if (!isAskedIfAlive(url) || !READS.has(method) || headers[DOCTOR_HEADER] !== undefined) return false;
  const { status, type, body } = health();
  response.writeHead(status, { "Content-Type": type, "Content-Length": body.length }).end(body);
  return true;
}

/** Whether a request for this address only asks if the process is alive. */
export function isAskedIfAlive(address: string | undefined): boolean {
  return address === "/healthz";
}
