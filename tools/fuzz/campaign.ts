import fc from "fast-check";
import { faultsLeftBehind } from "./afterwards";
import type { Canaries } from "./canaries";
import type { Ground } from "./ground";
import { FuzzCustomer } from "./fuzz-customer";
import { PEOPLE } from "./people";
import type { Fault, Watch } from "./promises";
import { stepsIn } from "./requests";
import { STATES, type State } from "./screens";
import type { Step } from "./steps";
import { Tally } from "./tally";
import { walk, type SeenFault, type Setting } from "./walk";

/** Few enough that the portal is never too busy to answer. */
const LANES = 4;
const HANG_SECONDS = 20;
const WALKS_PER_BATCH = 3;
/** How often we try to make a failing walk smaller. */
const MOST_SHRINKS = 300;
/** A run that has found this many different faults has found enough. */
const MOST_FINDINGS = 8;
const MOST_SHOWN = 4000;

/** A run's requests: how many, and where to send them. */
export interface Campaign {
  readonly ground: Ground;
  readonly canaries: Canaries;
  readonly requests: number;
  readonly seed: number;
  /**
   * A request without an answer after this many seconds counts as hung; the default is longer than any machine needs.
   */
  readonly hangSeconds?: number;
}

/** A fault, and the smallest walk that brings it about. */
export interface Finding {
  readonly faults: readonly (Fault & Partial<SeenFault>)[];
  /** In words; empty for a fault found in the log or the database. */
  readonly how: string;
}

/** The result of a campaign. */
export interface Result {
  readonly tally: Tally;
  readonly findings: readonly Finding[];
  /** Resident memory of the portal, in MB. */
  readonly memory: { readonly beforeMb: number; readonly afterMb: number };
}

class FaultyWalk extends Error {
  readonly faults: readonly SeenFault[];

  constructor(faults: readonly SeenFault[]) {
    super(faults.map(({ where, name }) => `${name} at ${where}`).join("\n"));
    this.faults = faults;
  }
}

/**
 * How many customers a campaign of this size uses: two visitors a walk, each with one who has an account and one who
 * has none.
 */
export function customersFor(requests: number): number {
  const walks = Math.ceil(requests / 8) + MOST_SHRINKS;
  return walks * 4;
}

/** Sends generated requests to a portal, then searches its log, metrics and database. */
export async function campaign({
  ground,
  canaries,
  requests,
  seed,
  hangSeconds = HANG_SECONDS,
}: Campaign): Promise<Result> {
  const watch: Watch = { canaries, secrets: ground.secrets, strangers: PEOPLE };
  const setting: Setting = {
    portal: ground.portal,
    watch,
    hangSeconds,
    tally: new Tally(),
    tokens: new Set(),
    codes: new Set(),
  };
  const beforeMb = ground.residentMb();
  const findings: Finding[] = [];
  // The batch that saw a fault first makes it smaller; the others skip it.
  const claims = new Map<string, number>();
  const claimedBy = (nth: number, fault: SeenFault) => {
    const key = keyOf(fault);
    if (!claims.has(key)) claims.set(key, nth);
    return claims.get(key) === nth;
  };
  const half = Math.floor(ground.customers / 2);
  let batches = 0;
  let customers = 0;
  const newCustomer = () => {
    const nth = customers % half;
    customers += 1;
    return new FuzzCustomer(ground, canaries, nth, half + nth);
  };
  const check = async (nth: number) => {
    const state = STATES[nth % STATES.length];
    if (!state) return;
    // The last that fails is the smallest.
    let smallest: readonly Step[] = [];
    const property = fc.asyncProperty(fc.limitShrink(stepsIn(state), MOST_SHRINKS), async (steps) => {
      const faults = await walk(setting, [newCustomer(), newCustomer()], state.way, steps);
      const fresh = faults.filter((fault) => claimedBy(nth, fault));
      if (fresh.length === 0) return;
      smallest = steps;
      throw new FaultyWalk(fresh);
    });
    const run = { seed: seed + nth, numRuns: WALKS_PER_BATCH, plugins: [fc.unbiased()] };
    const details = await fc.check(property, run);
    if (!details.failed) return;
    const { errorInstance } = details;
    if (!(errorInstance instanceof FaultyWalk)) throw errorInstance;
    findings.push({ faults: errorInstance.faults, how: inWords(state, smallest, seed + nth) });
  };
  const lane = async () => {
    while (setting.tally.requests < requests && findings.length < MOST_FINDINGS) await check(batches++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const left = await faultsLeftBehind(ground, watch, setting);
  return {
    tally: setting.tally,
    findings: [...findings, ...left.map((fault) => ({ faults: [fault], how: "" }))],
    memory: { beforeMb, afterMb: ground.residentMb() },
  };
}

/** The same fault at the same form or call is found once. */
function keyOf({ name, where }: SeenFault): string {
  return `${name} ${where.split(":", 1)[0] ?? ""}`;
}

function inWords(state: State, steps: readonly Step[], seed: number): string {
  const way = state.way.map(({ form, intent }) => (intent === undefined ? form : `${form} (${intent})`));
  const shown = fc.stringify(steps).slice(0, MOST_SHOWN);
  return `seed ${seed}, ${state.name}: ${way.join(", ")}, then ${shown}`;
}

/** A finding in words. */
export function describeFinding({ faults, how }: Finding): string {
  const lines = faults.map(({ name, seen, where }) => `✗ ${name}${where ? ` at ${where}` : ""}\n    ${seen}`);
  return [...lines, ...(how === "" ? [] : [`    ${how}`])].join("\n");
}
