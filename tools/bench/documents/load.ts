import { PIOTR } from "../../../tests/demo-customers";
import { outboxAt } from "../../../tests/portal";
import { Visitor } from "../../../tests/visitor";
import type { Thoroughness } from "../bench";
import { keepAliveClient } from "../keep-alive";
import { withoutLimits } from "../looseness";
import { load } from "../page-load";
import { percentile } from "../percentile";
import { startPortal, VISITOR, withDataDir } from "../portal";
import type { Running } from "../process";
import type { Row } from "../row";

const AT_ONCE = 50;
const MOST = { p99Ms: 50, moreMb: 60 };
/** How often the memory is looked at, in ms. */
const LOOK_MS = 20;

/** The effect of fifty documents at once on other visitors. */
export async function documentLoadRows({ quick }: Thoroughness): Promise<readonly Row[]> {
  return withDataDir(async (dataDir) => {
    const portal = await startPortal(dataDir, withoutLimits("DOCUMENTS_PER_HOUR", "DOCUMENTS_AT_ONCE"));
    try {
      await load(portal, { path: "/home", headers: VISITOR, status: 200 }, quick ? 300 : 3000);
      return await atOnceRows(portal, quick ? 1 : 5);
    } finally {
      await portal.stop();
    }
  });
}

async function atOnceRows(portal: Running, rounds: number): Promise<readonly Row[]> {
  const visitor = new Visitor(visited(portal));
  await visitor.signIn(PIOTR);
  const path = await confirmationOf(visitor);
  const idle = portal.residentMb();
  const latencies: number[] = [];
  let peak = idle;
  const watch = setInterval(() => (peak = Math.max(peak, portal.residentMb())), LOOK_MS);
  for (let round = 0; round < rounds; round += 1)
    latencies.push(...(await othersDuring(portal, visitor, path)));
  clearInterval(watch);
  return [
    {
      name: `GET /home while ${AT_ONCE} confirmations are made at once: p99`,
      unit: "ms",
      measured: percentile(latencies, 99),
      target: { of: "measured", bound: "at most", value: MOST.p99Ms },
      note: `${latencies.length} pages, median ${percentile(latencies, 50).toFixed(1)} ms`,
    },
    {
      name: `memory: ${AT_ONCE} confirmations at once, at the most`,
      unit: "MB",
      measured: peak - idle,
      target: { of: "measured", bound: "at most", value: MOST.moreMb },
      note: `more than the ${idle.toFixed(0)} MB before`,
    },
  ];
}

/** How long the sign-in page takes, again and again, until all documents have arrived; in ms. */
async function othersDuring(portal: Running, visitor: Visitor, path: string): Promise<readonly number[]> {
  const client = keepAliveClient(portal.port, 1);
  const latencies: number[] = [];
  const over = new AbortController();
  const documents = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      // Without a place in time it is told to come back (S128).
      let { status } = await visitor.get(path);
      while (status === 503) ({ status } = await visitor.get(path));
      if (status !== 200) throw new Error(`a document was answered ${status}`);
    }),
  ).finally(() => {
    over.abort();
  });
  while (!over.signal.aborted) {
    const began = performance.now();
    await client.send({ method: "GET", path: "/home", headers: VISITOR });
    latencies.push(performance.now() - began);
  }
  await documents;
  client.close();
  return latencies;
}

async function confirmationOf(visitor: Visitor): Promise<string> {
  const policy = /\/cp\/policy\/[\w-]+/.exec((await visitor.get("/cp")).body)?.[0] ?? "";
  const document = /\/cp\/document\/confirmation-[\w-]+/.exec((await visitor.get(policy)).body)?.[0];
  if (document === undefined) throw new Error("no confirmation on the policy's page");
  return document;
}

function visited({ port }: Running) {
  return { port, origin: `http://127.0.0.1:${port}`, ...outboxAt(port) };
}
