import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Its usual port. */
const POSTGRES = 5432;

/** The way of one portal to its database, which can break. */
export interface Line {
  /** Its near end, on 127.0.0.1. */
  readonly port: number;
  /** Nothing gets through any more, in either direction, and nothing says so. Resolves when somebody has tried. */
  readonly hang: () => Promise<void>;
  /** Every connection is broken, and new ones are refused: the server is gone. */
  readonly down: () => Promise<void>;
  /** Every connection is broken; new ones get through: the server was started anew. */
  readonly cut: () => void;
  /** Everything gets through again. */
  readonly mend: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Lays a line to the server of an address. */
export async function layLine({ hostname: host, port }: URL): Promise<Line> {
  const sockets = new Set<Socket>();
  let hanging = false;
  let tried: (() => void) | undefined;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("data", (chunk) => {
      if (hanging) tried?.();
      else to.write(chunk);
    });
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((mine) => {
    const far = connect({ host, port: Number(port || POSTGRES) });
    pass(mine, far);
    pass(far, mine);
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const down = async () => {
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    cut();
    await closed;
  };
  await listen(0);
  const { port: near } = server.address() as AddressInfo;
  return {
    port: near,
    hang: () =>
      new Promise<void>((resolve) => {
        hanging = true;
        tried = resolve;
      }),
    down,
    cut,
    mend: async () => {
      // What was swallowed meanwhile is missing: these connections are of no use.
      if (hanging) cut();
      hanging = false;
      if (!server.listening) await listen(near);
    },
    stop: async () => {
      if (server.listening) await down();
    },
  };
}
