import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** How a connection ended. */
export interface RawEnd {
  /** The status of each answer. */
  readonly statuses: readonly number[];
  /** How much the server took before it closed the connection, in bytes. */
  readonly sentBytes: number;
  /** Whether the server closed it, rather than we did when our patience ran out. */
  readonly isClosed: boolean;
}

/** Where to connect to, and from which of this machine's addresses. */
export interface RawTarget {
  readonly port: number;
  readonly secure?: boolean;
  readonly from?: string;
}

/**
 * Writes pieces to a connection until there are no more or the server has had enough, then waits for its end.
 * @param patienceMs when to give up
 */
export function exchange(
  { port, secure = false, from = "127.0.0.1" }: RawTarget,
  pieces: Iterable<string>,
  patienceMs: number,
): Promise<RawEnd> {
  return new Promise((resolve) => {
    const where = { host: "127.0.0.1", port, localAddress: from };
    const socket: Socket = secure ? connectTls({ ...where, rejectUnauthorized: false }) : connect(where);
    let received = "";
    let isClosed = true;
    const timer = setTimeout(() => {
      isClosed = false;
      socket.destroy();
    }, patienceMs);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => (received += text));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      const statuses = Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
      resolve({ statuses, sentBytes: socket.bytesWritten, isClosed });
    });
    socket.once(secure ? "secureConnect" : "connect", () => void writeAll(socket, pieces));
  });
}

async function writeAll(socket: Socket, pieces: Iterable<string>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      resolve();
    });
  });
  for (const piece of pieces) {
    if (socket.destroyed) return;
    if (socket.write(piece)) continue;
    const drained = new Promise<void>((resolve) => {
      socket.once("drain", () => {
        resolve();
      });
    });
    await Promise.race([drained, closed]);
  }
}
