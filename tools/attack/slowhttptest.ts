import { startPortal } from "../../tests/portal";
import { withEnding } from "./endings";
import type { Kind, Outcome, Seen } from "./outcome";
import { atTopology, attackThroughNginx, attackWith, type Run } from "./place";
import { beside, probeFindings, probeNote, type Probed } from "./probe";
import { cutShortNotes, runProgram } from "./program";
import { portalLog } from "./traffic";
import { RATES_LIFTED, SHIPPED } from "../bench/looseness";

/** How long each test lasts (s). */
const SECONDS = { full: 30, quick: 6 } as const;
/** Six times as many as nginx takes from one address, and fewer than any nginx takes in all (Debian's: 768). */
const CONNECTIONS = 600;
const KIND: Kind = "flood";
/** A portal looks at the head first; unfinished bodies with a head of ours are in floods.ts. */
const HELD_NONE = "it held no connection, since each was refused by its head: its Referer is another site's";

const TESTS = [
  { name: "slow heads", path: "/home", flags: ["-H", "-i", "3"] },
  { name: "slow bodies", path: "/home?index", flags: ["-B", "-i", "3", "-s", "8192"] },
  { name: "slow readers", path: "/home", flags: ["-X", "-k", "3", "-n", "2", "-w", "1", "-y", "16"] },
] as const;

/** Opens connections that take as long as they may, to nginx and to a portal without it, while others visit. */
export async function attackWithSlowhttptest(run: Run): Promise<readonly Outcome[]> {
  const env = { ...SHIPPED, ...RATES_LIFTED };
  const behindNginx = await atTopology({ env }, async (topology) => {
    const outcomes: Outcome[] = [];
    for (const test of TESTS)
      outcomes.push(
        await attackThroughNginx(topology, { attack: `slowhttptest, ${test.name}, nginx`, kind: KIND }, () =>
          slowly(test, topology, run),
        ),
      );
    return outcomes;
  });
  return [...behindNginx, ...(await directly(env, run))];
}

/**
 * Without nginx, slowhttptest's bodies test nothing: its Referer is another site's, so the portal refuses the head. The
 * "unfinished requests" of our floods stop in the middle of a body.
 */
const DIRECTLY = TESTS.filter(({ name }) => name !== "slow bodies");

/** A topology's portals have no clients but nginx, so this portal runs without a proxy and limits by itself. */
async function directly(env: Readonly<Record<string, string>>, run: Run): Promise<readonly Outcome[]> {
  const portal = await startPortal({ env });
  return withEnding(
    async () => {
      await portal.stop();
    },
    async () => {
      const outcomes: Outcome[] = [];
      for (const test of DIRECTLY) {
        const plan = { attack: `slowhttptest, ${test.name}, portal`, kind: KIND, log: portalLog(portal.log) };
        outcomes.push(await attackWith(plan, () => slowly(test, portal, run)));
      }
      return outcomes;
    },
  );
}

async function slowly(
  { name, path, flags }: (typeof TESTS)[number],
  probed: Probed,
  { quick, reports }: Run,
): Promise<Seen> {
  const seconds = SECONDS[quick ? "quick" : "full"];
  const report = `${reports}/${name.replaceAll(" ", "-")}-${probed.secure ? "nginx" : "portal"}`;
  const { value: end, probes } = await beside(probed, () =>
    runProgram(
      "slowhttptest",
      [
        ...[...flags, "-c", String(CONNECTIONS), "-r", "150", "-l", String(seconds), "-p", "3", "-v", "1"],
        ...["-g", "-o", report, "-j", "accepted-cookies=true", "-u", `${probed.origin}${path}`],
      ],
      { seconds: seconds + 15, outputFile: `${report}.txt` },
    ),
  );
  const opened = mostConnections(end.output);
  return {
    findings: probeFindings(probes),
    notes: [
      `at most ${opened} connections at once; ${probeNote(probes)}`,
      ...cutShortNotes(end, seconds + 15),
    ],
    ...(opened === 0 && { notReached: HELD_NONE }),
  };
}

/** The most connections that slowhttptest reports to have had open at any time. */
function mostConnections(output: string): number {
  // The program colours its figures. The expression is built, since lint forbids control characters in a literal.
  const plain = output.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g"), "");
  return Math.max(0, ...Array.from(plain.matchAll(/connected:\s+(\d+)/g), ([, count]) => Number(count)));
}
