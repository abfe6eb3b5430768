import { beforeAll, describe, expect, test } from "vitest";
import {
  campaign,
  customersFor,
  describeFinding,
  type Finding,
  type Result,
} from "../../tools/fuzz/campaign";
import { Canaries } from "../../tools/fuzz/canaries";
import { onGround, type GroundKind } from "../../tools/fuzz/ground";
import { Tally } from "../../tools/fuzz/tally";
import { hasPostgres } from "../postgres-server";
import { IS_RELEASE } from "../release-run";

/** The part of `npm run fuzz` that a test run sends. */
const REQUESTS = IS_RELEASE ? 2000 : 300;
/** Long enough on a busy machine. */
const AT_MOST_MS = 240_000;
const KINDS: readonly GroundKind[] = hasPostgres && IS_RELEASE ? ["SQLite", "PostgreSQL"] : ["SQLite"];
/** The same requests each time, so that a run fails because of a change, not by chance; `npm run fuzz` sends others. */
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_126);

describe(`generated requests (FUZZ_SEED=${SEED} repeats them)`, () => {
  const results: Result[] = [];
  const findings: Finding[] = [];
  const found = (kind: Finding["faults"][number]["kind"]) =>
    findings.filter(({ faults }) => faults.some((fault) => fault.kind === kind)).map(describeFinding);

  beforeAll(async () => {
    const requests = Math.ceil(REQUESTS / KINDS.length);
    // Both at once: each portal waits for the other's answers to be read.
    const run = (kind: GroundKind, nth: number) =>
      onGround(kind, customersFor(requests), (ground) =>
        campaign({ ground, canaries: new Canaries(), requests, seed: SEED + nth * requests }),
      );
    results.push(...(await Promise.all(KINDS.map(run))));
    findings.push(...results.flatMap((result) => result.findings));
  }, AT_MOST_MS);

  test("[S58, S71, S72] every request gets a whole answer, no 5xx, and no redirect to another site", () => {
    expect(found("answer")).toEqual([]);
  });

  test("[S35, S85, S93] nothing secret is in an answer, the log, the metrics or the database", () => {
    expect(found("leak")).toEqual([]);
  });

  test("as many are sent as were asked for", () => {
    const sent = results.reduce((total, { tally }) => total + tally.requests, 0);
    expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  });

  test.runIf(IS_RELEASE)("they reach every form and every call", () => {
    const all = new Tally();
    for (const { tally } of results) all.addAll(tally);
    expect(all.unreached()).toEqual([]);
  });
});
