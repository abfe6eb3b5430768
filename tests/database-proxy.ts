import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A proxy to PostgreSQL that tests can break. */
export interface DatabaseProxy {
  /** The same database, through the proxy. */
  readonly url: string;
  /** Closes every connection and refuses new ones. */
  takeDown(): void;
  /** Stops answering, on open and new connections. */
  hang(): void;
  /** Resolves once something was sent while it hung. */
  tried(): Promise<void>;
  /** Closes every connection but lets new ones through: the server was restarted. */
  cut(): void;
  /** Works normally again. */
  recover(): void;
  /**
   * Closes all connections at the nth statement from now: before the server gets it, or before its answer comes back.
   */
  cutAt(nth: number, when: "before" | "after"): void;
  close(): Promise<void>;
}

/** The first byte of a statement: a simple query, or the parsing of one with parameters (PostgreSQL, §55.7). */
const STATEMENTS: readonly (number | undefined)[] = [0x51, 0x50];

type State = "well" | "down" | "hanging";

/** Opens a proxy on its own port. */
export async function openDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let state: State = "well";
  let cutting: { left: number; readonly when: "before" | "after" } | undefined;
  let onTry: () => void = () => undefined;
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
      if (state === "hanging") {
        onTry();
        return;
      }
      if (cutting && STATEMENTS.includes(chunk[0]) && --cutting.left === 0) {
        isAnswerLost = cutting.when === "after";
        cutting = undefined;
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
    tried: () =>
      new Promise((resolve) => {
        onTry = resolve;
      }),
    cut: endAll,
    recover: () => {
      // Hanging connections have lost data and are of no use.
      endAll();
      state = "well";
    },
    cutAt: (nth, when) => {
      cutting = { left: nth, when };
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
