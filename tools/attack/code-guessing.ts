import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { CODE_STEPS } from "../../tests/account-steps";
import { cookieHeader } from "../bench/portal";
import { ANNA, PIOTR, type DemoCustomer } from "../../tests/demo-customers";
import { wrongCode } from "../../tests/portal";
import type { Topology } from "../../tests/topology/topology";
import { Visitor } from "../../tests/visitor";
import { readFfuf } from "./ffuf-report";
import type { Seen } from "./outcome";
import type { Run } from "./place";
import { cutShortNotes, runProgram } from "./program";

const GUESSES = { full: 2000, quick: 300 } as const;
const SECONDS = 60;
/** The allowed answers to a guess: refused, or told to wait. */
const REFUSED = new Set([400, 429]);

/**
 * Guesses at the code of an open journey, the right one last. No guess may succeed, and customers sign in meanwhile.
 * The tries are counted before they are compared, so the right code is worth nothing after the fifth.
 */
export async function guessCodes(
  topology: Topology,
  name: "reset-password-submit" | "remind-login-submit",
  customer: DemoCustomer,
  { quick, reports }: Run,
): Promise<Seen> {
  const step = CODE_STEPS[name];
  const { visitor, phone } = await step.arrive(topology, customer);
  const code = await topology.lastCode(phone);
  const guesses = Array.from({ length: GUESSES[quick ? "quick" : "full"] }, (_, nth) =>
    wrongCode(code, nth + 1),
  );
  const words = `${reports}/codes.txt`;
  writeFileSync(words, `${[...guesses, code].join("\n")}\n`);
  const report = `${reports}/${name}-${topology.port}.json`;
  const fields = new URLSearchParams({ intent: "confirm", ...step.fields() }).toString();
  const guessed = runProgram(
    "ffuf",
    [
      ...["-w", words, "-u", `${topology.origin}${step.path}`, "-X", "POST"],
      ...["-d", `${fields}&authorizationCode=FUZZ`, "-H", "Content-Type: application/x-www-form-urlencoded"],
      ...["-H", `Origin: ${topology.origin}`, "-H", `Cookie: ${cookieHeader(visitor)}`],
      ...["-mc", "all", "-t", "8", "-s", "-of", "json", "-o", report],
    ],
    { seconds: SECONDS, outputFile: `${reports}/codes-output.txt` },
  );
  const [end, signedIn] = await Promise.all([guessed, signInMeanwhile(topology)]);
  if (!existsSync(report)) return { findings: [], notes: [], notReached: "ffuf wrote no report" };
  const results = readFfuf(readFileSync(report, "utf8"));
  const successes = results.filter(({ status }) => !REFUSED.has(status));
  // The form itself, with the right code: after five wrong ones, even that leads nowhere.
  const last = await visitor
    .twin()
    .post(step.path, { intent: "confirm", ...step.fields(), authorizationCode: code });
  const count = (status: number) => results.filter((result) => result.status === status).length;
  return {
    findings: [
      ...successes.map(
        ({ word, status, location }) => `the guess ${word} was answered ${status} ${location}`,
      ),
      ...(REFUSED.has(last.status)
        ? []
        : [`the right code after ${results.length} wrong ones: ${last.status}`]),
      ...signedIn,
    ],
    notes: [
      `${count(400)} guesses refused, ${count(429)} told to wait; two customers signed in meanwhile`,
      ...cutShortNotes(end, SECONDS),
    ],
    ...(count(400) === 0 && { notReached: "no guess reached the form" }),
  };
}

/** Signs two customers in during the guessing. */
async function signInMeanwhile(topology: Topology): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const customer of [ANNA, PIOTR]) {
    try {
      await new Visitor(topology).signIn(customer);
    } catch (error) {
      failures.push(`${customer.username} could not sign in meanwhile: ${String(error).slice(0, 200)}`);
    }
  }
  return failures;
}
