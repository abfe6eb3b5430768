import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** PostgreSQL's default port. */
const POSTGRES = 5432;

/** One portal's connection to its database, which tests can break. */
export interface DatabaseLink {
  /** The port on 127.0.0.1 that the portal connects to. */
  readonly port: number;
  /** Silently drops everything in both directions. Resolves once the portal has tried to get through. */
  readonly hang: () => Promise<void>;
  /** Breaks every connection and refuses new ones: the server is gone. */
  readonly down: () => Promise<void>;
  /** Breaks every connection but lets new ones through: the server was restarted. */
  readonly cut: () => void;
  /** Lets everything through again. */
  readonly mend: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Opens a link to the server at this address. */
export async function openDatabaseLink({ hostname: host, port }: URL): Promise<DatabaseLink> {
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
      // These connections have lost data and are of no use.
      if (hanging) cut();
      hanging = false;
      if (!server.listening) await listen(near);
    },
    stop: async () => {
      if (server.listening) await down();
    },
  };
}
