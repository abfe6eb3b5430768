import { RATES_LIFTED, SHIPPED, withoutLimits } from "../bench/looseness";
import { startTopology, type Topology, type TopologyOptions } from "../../tests/topology/topology";
import { withEnding } from "./endings";
import { outcomeOf, type Kind, type Outcome, type Seen } from "./outcome";
import { nginxLog, type LoggedRequest, type ServerLog } from "./traffic";

/** The options of a run of all attacks. */
export interface Run {
  /** Shorter limits, fewer requests. */
  readonly quick: boolean;
  /** The folder for the reports of this run. */
  readonly reports: string;
}

/** A group of attacks; everything it starts has ended when it resolves. */
export type Attack = (run: Run) => Promise<readonly Outcome[]>;

/** An attack on a server whose log counts it. */
export interface Plan {
  readonly attack: string;
  readonly kind: Kind;
  readonly log: ServerLog;
  /** Which requests are the attack's own, where several run at once. Default: all. */
  readonly isOwn?: (request: LoggedRequest) => boolean;
}

/**
 * For scanners, whose thousands of tries would lock accounts and block codes: behind a lock they would test nothing.
 * The wait for a hash depends on the machine.
 */
export const FOR_SCANNERS: Readonly<Record<string, string>> = {
  ...SHIPPED,
  ...RATES_LIFTED,
  ...withoutLimits(
    "PASSWORD_TRIES",
    "CODE_TRIES",
    "CODE_REFUSALS",
    "CODE_TRIES_PER_DAY",
    "FACTOR_TRIES",
    "FACTOR_WRONG_IN_ROW",
  ),
  LIMIT_HASH_WAIT_MS: "8000",
};

/** Runs the work against a new topology. */
export async function atTopology<Value>(
  options: TopologyOptions,
  work: (topology: Topology) => Promise<Value>,
): Promise<Value> {
  const topology = await startTopology(options);
  return withEnding(topology.stop, () => work(topology));
}

/** Attacks, counts the requests from the server's log, and judges. A failure of the attack itself is no verdict. */
export async function attackWith(
  { attack, kind, log, isOwn = () => true }: Plan,
  work: () => Promise<Seen>,
): Promise<Outcome> {
  const length = await log.length();
  const seen = await work().catch((error: unknown) => ({
    findings: [],
    notes: [],
    notReached: wordsOf(error),
  }));
  return outcomeOf(attack, kind, seen, (await log.since(length)).filter(isOwn));
}

/** Attacks a topology through nginx. The portals may log no error meanwhile, unless it is a flood. */
export function attackThroughNginx(
  topology: Topology,
  { attack, kind }: Pick<Plan, "attack" | "kind">,
  work: () => Promise<Seen>,
): Promise<Outcome> {
  return attackWith({ attack, kind, log: nginxLog(topology) }, async () => {
    const before = topology.log().length;
    const seen = await work();
    const errors = kind === "flood" ? [] : errorLines(topology.log().slice(before));
    return { ...seen, findings: [...seen.findings, ...errors] };
  });
}

/** The message of a thrown value, in one line of at most 200 characters. */
export function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").slice(0, 200);
}

function errorLines(log: string): readonly string[] {
  const lines = log.split("\n").filter((line) => line.includes('"level":"error"'));
  const [first] = lines;
  return first === undefined
    ? []
    : [`the portals logged ${lines.length} errors, first: ${first.slice(0, 300)}`];
}
