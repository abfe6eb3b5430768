import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of the attacker on 127.0.0.1, to which a portal must never be led. */
export interface Collector {
  readonly url: string;
  /** The addresses that a portal requested. */
  readonly visits: () => readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts a collector; wapiti itself asks it for results at `get_….php`, and is told that there are none. */
export async function startCollector(): Promise<Collector> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    if (!/^\/+get_\w+\.php/.test(url)) visits.push(url);
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    visits: () => visits,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
