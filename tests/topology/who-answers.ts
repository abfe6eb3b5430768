import { readFile } from "node:fs/promises";
import { until } from "../browsers/until";
import { Visitor } from "../visitor";
import type { Member } from "./member";
import type { Topology } from "./topology";

/** Waits until nginx sends requests to a portal again: for a while, it avoids one it could not reach. */
export async function waitUntilAsked(topology: Topology, member: Member): Promise<void> {
  const visitor = new Visitor(topology);
  await until("nginx to ask that portal", async () => (await answeredBy(topology, visitor)) === member);
}

/** Waits until nginx sends requests to every portal. */
export async function waitUntilAllAsked(topology: Topology): Promise<void> {
  for (const member of topology.members) await waitUntilAsked(topology, member);
}

/** The portal that answers a request; undefined if nginx had to try more than one. */
export async function answeredBy(topology: Topology, visitor: Visitor): Promise<Member | undefined> {
  const id = (await visitor.get("/healthz")).header("X-Request-Id") ?? "";
  // nginx writes it after the answer is sent.
  const line = await until("nginx to write its log", async () =>
    (await readFile(topology.nginx.accessLog, "utf8")).split("\n").find((text) => text.includes(id)),
  );
  const { portals } = JSON.parse(line) as { portals: string };
  return topology.members.find(({ port }) => portals === `127.0.0.1:${port}`);
}
