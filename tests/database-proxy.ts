import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to PostgreSQL that can break: what it does to whom is the test's to say. */
export interface DatabaseProxy {
  /** The same database, by way of the proxy. */
  readonly url: string;
  /** Ends every connection, and lets nobody in. */
  takeDown(): void;
  /** Says nothing any more, to those who are connected and to those who come. */
  hang(): void;
  /** All is well again. */
  recover(): void;
  /** Ends all connections at the statement with this number from now on: before the server gets it, or before its answer comes back. */
  cutAt(nth: number, when: "before" | "after"): void;
  close(): Promise<void>;
}

/** The first byte of a statement: a simple query, or the parsing of one with parameters (PostgreSQL, §55.7). */
const STATEMENTS: readonly (number | undefined)[] = [0x51, 0x50];

type State = "well" | "down" | "hanging";

/** Opens one on a port of its own. */
export async function openDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let state: State = "well";
  let cut: { left: number; readonly when: "before" | "after" } | undefined;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (state === "down") {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    let isAnswerLost = false;
    client.on("data", (chunk) => {
      if (state === "hanging") return;
      if (cut && STATEMENTS.includes(chunk[0]) && --cut.left === 0) {
        isAnswerLost = cut.when === "after";
        cut = undefined;
        if (!isAnswerLost) {
          endAll();
          return;
        }
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (isAnswerLost) endAll();
      else if (state !== "hanging") client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    takeDown: () => {
      state = "down";
      endAll();
    },
    hang: () => {
      state = "hanging";
    },
    recover: () => {
      // Who was left hanging has lost what was said meanwhile.
      endAll();
      state = "well";
    },
    cutAt: (nth, when) => {
      cut = { left: nth, when };
    },
    close: () => {
      endAll();
      return new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
    },
  };
}
