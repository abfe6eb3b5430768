import { readFile } from "node:fs/promises";
import type { Topology } from "../../tests/topology/topology";
import { PROBE_ADDRESS } from "./probe";

/** One line of a server's log. */
export interface LoggedRequest {
  readonly method: string;
  /** The address without its query; from a portal's own log, the route. */
  readonly path: string;
  readonly status: number;
}

/** A server's log, which can be read from a given point on. */
export interface ServerLog {
  /** The log's present length. */
  readonly length: () => Promise<number>;
  /** The requests logged after this length, once the server has written its last line. */
  readonly since: (length: number) => Promise<readonly LoggedRequest[]>;
}

/** nginx and the portals write a line after the answer is sent. */
const LAST_LINE_MS = 300;
const UNREACHABLE = [502, 504];

/** nginx's access log, without the requests of the probe. */
export function nginxLog({ nginx }: Pick<Topology, "nginx">): ServerLog {
  return logIn(() => readFile(nginx.accessLog, "latin1"), requestOfNginx);
}

/** The log of a portal that is attacked directly. */
export function portalLog(text: () => string): ServerLog {
  return logIn(() => Promise.resolve(text()), requestOfPortal);
}

function logIn(
  read: () => Promise<string>,
  requestOf: (line: string) => LoggedRequest | undefined,
): ServerLog {
  return {
    length: async () => (await read()).length,
    since: async (length) => {
      await new Promise((resolve) => setTimeout(resolve, LAST_LINE_MS));
      return (await read())
        .slice(length)
        .split("\n")
        .flatMap((line) => requestOf(line) ?? []);
    },
  };
}

/** Reads a log line as deploy/nginx/portal.conf.template defines it. */
export function requestOfNginx(line: string): LoggedRequest | undefined {
  const parts = parsed(line);
  if (!parts || parts["client"] === PROBE_ADDRESS) return undefined;
  const { method, path, status, answers } = parts;
  if (typeof status !== "number") return undefined;
  return { method: String(method), path: String(path), status: honestStatus(status, String(answers)) };
}

/** nginx answers 503 if it could reach no portal. No portal gave that answer, so it counts as 502 or 504. */
function honestStatus(status: number, answers: string): number {
  const last = Number(answers.split(/[,:] /).at(-1));
  return status === 503 && UNREACHABLE.includes(last) ? last : status;
}

function requestOfPortal(line: string): LoggedRequest | undefined {
  const parts = parsed(line);
  if (parts?.["msg"] !== "answered" || typeof parts["status"] !== "number") return undefined;
  return { method: String(parts["method"]), path: String(parts["route"]), status: parts["status"] };
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
