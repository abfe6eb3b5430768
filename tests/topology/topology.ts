import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../portal-process";
import { outboxAt, startPortal, type Portal, type PublicPortal } from "../portal";
import { startNginx, type Nginx } from "./nginx";

/** What a topology is started with. */
export interface TopologyOptions {
  readonly portals?: number;
  /** More variables of all portals. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What an operator runs: portals behind nginx, which speaks TLS. To a visitor it is one portal like any other. */
export interface Topology extends PublicPortal {
  readonly secure: true;
  /** Where nginx answers http, only to send everybody to https. */
  readonly httpPort: number;
  readonly portals: readonly Portal[];
  readonly nginx: Nginx;
  /** Everything that the portals have written so far. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the topology of deploy/ without containers, on free ports of 127.0.0.1.
 * @throws Error with what was written by the part that does not start
 */
export async function startTopology({ portals: count = 1, env }: TopologyOptions = {}): Promise<Topology> {
  const [folder, httpsPort, httpPort] = await Promise.all([freshFolder(), freePort(), freePort()]);
  const origin = `https://127.0.0.1:${httpsPort}`;
  const options = { publicOrigin: origin, env: { TRUSTED_PROXIES: "127.0.0.1", ...env } };
  const portals = await Promise.all(Array.from({ length: count }, () => startPortal(options)));
  const nginx = await startNginx({
    folder,
    httpsPort,
    httpPort,
    portals: portals.map(({ port }) => port),
  });
  return {
    origin,
    port: httpsPort,
    secure: true,
    httpPort,
    portals,
    nginx,
    ...outboxAt(httpsPort, { Host: new URL(origin).host }, true),
    log: () => portals.map(({ log }) => log()).join("\n"),
    stop: async () => {
      await nginx.stop();
      await Promise.all(portals.map((portal) => portal.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freshFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "topology-"));
}
