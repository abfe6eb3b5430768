import { connect, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { SECOND } from "~/platform/time.server";

/** How long a check waits for a server: less than the check may take, so that it can still name the silent server. */
export const ANSWER_MS = 4 * SECOND;

const PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/**
 * Whether a server takes connections. With https, `endsAt` (ms; NaN if it cannot be read) and `distrust` are about its
 * certificate.
 */
type Reached =
  | { readonly kind: "reached"; readonly endsAt?: number; readonly distrust?: string | undefined }
  | { readonly kind: "unreached"; readonly reason: string };

/** Connects, with TLS for https, and hangs up without a request. Never throws. */
export function reach(address: string): Promise<Reached> {
  const { protocol, hostname, port } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const to = { host, port: port === "" ? (PORTS[protocol] ?? 0) : Number(port) };
  return new Promise((resolve) => {
    const isTls = protocol === "https:";
    // Look at an untrusted certificate, too. Nothing is sent over the connection.
    const tls = isTls
      ? connectTls({ ...to, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) })
      : undefined;
    const socket = tls ?? connect(to);
    const end = (reached: Reached) => {
      socket.destroy();
      resolve(reached);
    };
    socket.setTimeout(ANSWER_MS, () => {
      end({ kind: "unreached", reason: "no answer in time" });
    });
    socket.on("error", (error: Error) => {
      end({ kind: "unreached", reason: codeOf(error) });
    });
    socket.on(isTls ? "secureConnect" : "connect", () => {
      end({ kind: "reached", ...(tls && certificateOf(tls)) });
    });
  });
}

function certificateOf(socket: ReturnType<typeof connectTls>) {
  // Node's types say Error, but it is the error code.
  const distrust = socket.authorized ? undefined : String(socket.authorizationError);
  // Without a certificate there is no `valid_to`, although Node's types have it.
  return { endsAt: Date.parse(socket.getPeerCertificate().valid_to), distrust };
}

function codeOf(error: Error): string {
  // Node tries every address of a host and collects the errors.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && "code" in first ? String(first.code) : "the connection was closed";
}
