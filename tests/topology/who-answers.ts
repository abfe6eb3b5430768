import { readFile } from "node:fs/promises";
import { until } from "../browsers/until";
import { Visitor } from "../visitor";
import type { Member } from "./member";
import type { Topology } from "./topology";

/**
 * The portal that gets the next request, since nginx alternates. If a portal has just come back, this waits until nginx
 * uses it again.
 */
export async function nextToAnswer(topology: Topology): Promise<Member> {
  const visitor = new Visitor(topology);
  return until("nginx to alternate between the portals", async () => {
    const [last, newest] = [await answeredBy(topology, visitor), await answeredBy(topology, visitor)];
    return last !== undefined && newest !== undefined && last !== newest ? last : undefined;
  });
}

/** Waits until nginx sends requests to a portal again: for a while, it avoids one it could not reach. */
export async function waitUntilAsked(topology: Topology, member: Member): Promise<void> {
  const visitor = new Visitor(topology);
  await until("nginx to ask that portal", async () => (await answeredBy(topology, visitor)) === member);
}

/** The portal that answers a request; undefined if nginx had to try more than one. */
async function answeredBy(topology: Topology, visitor: Visitor): Promise<Member | undefined> {
  const id = (await visitor.get("/healthz")).header("X-Request-Id") ?? "";
  // nginx writes it after the answer is sent.
  const line = await until("nginx to write its log", async () =>
    (await readFile(topology.nginx.accessLog, "utf8")).split("\n").find((text) => text.includes(id)),
  );
  const { portals } = JSON.parse(line) as { portals: string };
  return topology.members.find(({ port }) => portals === `127.0.0.1:${port}`);
}
