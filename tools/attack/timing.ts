import { seedCustomers } from "../bench/accounts";
import { MOST_AUC, STARTS, timesOf, type Start } from "../bench/known-unknown";
import { percentile } from "../bench/percentile";
import { tellingApart } from "../bench/telling-apart";
import type { Topology } from "../../tests/topology/topology";
import { mostAuc } from "./auc-bound";
import type { Outcome, Seen } from "./outcome";
import { atTopology, attackWith, FOR_SCANNERS, type Run } from "./place";
import { portalLog } from "./traffic";

/** Requests with known details, and as many with unknown ones. */
const A_SIDE = { full: 1000, quick: 250 } as const;

/** Tests whether the time of an answer reveals customers. Skips the proxy, which would only blur the times. */
export function attackTiming({ quick }: Run): Promise<readonly Outcome[]> {
  const aSide = A_SIDE[quick ? "quick" : "full"];
  // Each customer is used once. One half has accounts, the other registers.
  const population = { customers: aSide * 2, accounts: aSide };
  const options = {
    env: FOR_SCANNERS,
    seed: (stored: Parameters<typeof seedCustomers>[0]) => seedCustomers(stored, population),
  };
  return atTopology(options, async (topology) => {
    const outcomes: Outcome[] = [];
    for (const start of STARTS) {
      const [{ log }] = topology.members;
      const plan = { attack: `timing, ${start.name}`, kind: "others", log: portalLog(log) } as const;
      outcomes.push(await attackWith(plan, () => compare(topology, start, aSide)));
    }
    return outcomes;
  });
}

async function compare({ members, origin }: Topology, start: Start, aSide: number): Promise<Seen> {
  const portal = { port: members[0].port, publicHost: new URL(origin).host };
  const { known, unknown } = await timesOf(portal, start, { first: start.hasAccount ? 0 : aSide, aSide });
  const auc = tellingApart(known, unknown);
  const most = mostAuc(aSide, MOST_AUC);
  const medians = [known, unknown].map((times) => percentile(times, 50).toFixed(1)).join(" and ");
  const words = `AUC ${auc.toFixed(3)} (at most ${most.toFixed(3)}), ${aSide} a side, medians ${medians} ms`;
  return { findings: auc > most ? [words] : [], notes: [words] };
}
