import type { Exit } from "../portal-process";
import { startPortal, type Portal, type PortalOptions } from "../portal";
import type { Database } from "./database";
import { openDatabaseProxy, type DatabaseProxy } from "../database-proxy";

/** One of several portals. Its process can end and be replaced by another on the same port. */
export interface Member {
  readonly port: number;
  /** The id of its process, until that ends. */
  readonly pid: () => number;
  /** Its connection to the database. */
  readonly link: DatabaseProxy;
  /** Everything its processes have written so far. */
  readonly log: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends its process, by `kill -9` unless another signal is given. */
  readonly end: (signal?: NodeJS.Signals) => Promise<Exit>;
  /** Starts another process in its place. */
  readonly start: () => Promise<void>;
  /** Ends it for good. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a portal whose connection to the database can break.
 * @throws Error with its output if it doesn't start
 */
export async function startMember(database: Database, { env, ...options }: PortalOptions): Promise<Member> {
  const link = await openDatabaseProxy(database.url);
  const start = (port?: number) =>
    startPortal({ ...options, ...(port !== undefined && { port }), env: { ...env, DATABASE_URL: link.url } });
  let portal: Portal = await start();
  let runs = true;
  const { port } = portal;
  let before = "";
  const end = async (signal: NodeJS.Signals = "SIGKILL") => {
    runs = false;
    return portal.stop(signal);
  };
  return {
    port,
    pid: () => portal.pid,
    link,
    log: () => before + portal.log(),
    signal: (signal) => {
      portal.signal(signal);
    },
    end,
    start: async () => {
      before += portal.log();
      portal = await start(port);
      runs = true;
    },
    stop: async () => {
      if (runs) await end("SIGTERM");
      await link.close();
    },
  };
}
