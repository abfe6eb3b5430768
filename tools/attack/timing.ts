import { seedCustomers } from "../bench/accounts";
import { MOST_AUC, STARTS, timesOf, type Start } from "../bench/known-unknown";
import { RATES_LIFTED, SHIPPED, withoutLimits } from "../bench/looseness";
import { percentile } from "../bench/percentile";
import { tellingApart } from "../bench/telling-apart";
import { startTopology, type Topology } from "../../tests/topology/topology";

/** Requests with known details, and as many with unknown ones. */
const A_SIDE = { full: 1000, quick: 250 } as const;
/** Of four forms that give nothing away, one exceeds this by chance in fewer than 1 of 3,000 runs. */
const DEVIATIONS = 4;
/** Thousands of tries would lock accounts and block codes. The wait for a hash depends on the machine. */
const LIMITS = {
  ...SHIPPED,
  ...RATES_LIFTED,
  ...withoutLimits("PASSWORD_TRIES", "CODE_TRIES", "CODE_REFUSALS", "CODE_TRIES_PER_DAY"),
  LIMIT_HASH_WAIT_MS: "8000",
};

/**
 * Tests whether the time of an answer reveals customers (S2, S108), and prints a line for each form. Skips the proxy, which
 * would only blur the times.
 * @returns whether one of them does
 */
export async function attackTiming(quick: boolean): Promise<boolean> {
  const aSide = A_SIDE[quick ? "quick" : "full"];
  // Each customer is used once. One half has accounts, the other registers.
  const population = { customers: aSide * 2, accounts: aSide };
  const topology = await startTopology({ env: LIMITS, seed: (stored) => seedCustomers(stored, population) });
  try {
    let found = false;
    for (const start of STARTS) {
      const { auc, most, words } = await compare(topology, start, aSide);
      console.log(`${auc > most ? "✗" : "✓"} ${start.name}: ${words}`);
      found ||= auc > most;
    }
    return found;
  } finally {
    await topology.stop();
  }
}

async function compare({ members, origin }: Topology, start: Start, aSide: number) {
  const portal = { port: members[0].port, publicHost: new URL(origin).host };
  const { known, unknown } = await timesOf(portal, start, { first: start.hasAccount ? 0 : aSide, aSide });
  const auc = tellingApart(known, unknown);
  const most = mostAuc(aSide);
  const medians = [known, unknown].map((times) => percentile(times, 50).toFixed(1)).join(" and ");
  const words = `AUC ${auc.toFixed(3)} (at most ${most.toFixed(3)}), ${aSide} a side, medians ${medians} ms`;
  return { auc, most, words };
}

/**
 * How well a guess may do before it counts as a finding: as well as allowed, or as well as chance does with so few
 * requests. For two samples of n from one distribution, the AUC has the standard deviation √((2n + 1) / 12n²).
 */
function mostAuc(aSide: number): number {
  return Math.max(MOST_AUC, 0.5 + DEVIATIONS * Math.sqrt((2 * aSide + 1) / (12 * aSide ** 2)));
}
