import { writeFileSync } from "node:fs";
import { CODE_STEPS } from "../../tests/account-steps";
import { ANNA, PIOTR } from "../../tests/demo-customers";
import { wrongCode } from "../../tests/portal";
import type { Topology } from "../../tests/topology/topology";
import { Visitor } from "../../tests/visitor";
import { cookieHeader } from "../bench/portal";
import { readFfuf } from "./ffuf-report";
import type { Ground, Opened } from "./known-tools";

const GUESSES = { full: 2000, quick: 300 } as const;
/** The allowed answers to a guess: refused, or told to wait. */
const REFUSED = new Set([400, 429]);

/**
 * Guesses at the code of an open journey, the right one last. No guess may succeed, and customers sign in meanwhile.
 * The tries are counted before they are compared, so the right code is worth nothing after the fifth.
 */
export function guessesAt(name: "reset-password-submit" | "remind-login-submit") {
  const step = CODE_STEPS[name];
  return async ({ topology, customer, file, quick }: Ground): Promise<Opened> => {
    const { visitor, phone } = await step.arrive(topology, customer);
    const code = await topology.lastCode(phone);
    const count = GUESSES[quick ? "quick" : "full"];
    const guesses = Array.from({ length: count }, (_, nth) => wrongCode(code, nth + 1));
    writeFileSync(`${file}.codes`, `${[...guesses, code].join("\n")}\n`);
    const fields = { intent: "confirm", ...step.fields() };
    return {
      args: [
        ...["-w", `${file}.codes`, "-u", `${topology.origin}${step.path}`, "-X", "POST"],
        ...["-d", `${new URLSearchParams(fields).toString()}&authorizationCode=FUZZ`],
        ...["-H", "Content-Type: application/x-www-form-urlencoded", "-H", `Origin: ${topology.origin}`],
        ...["-H", `Cookie: ${cookieHeader(visitor)}`],
      ],
      meanwhile: () => signInMeanwhile(topology),
      judge: async (report) => {
        // The form itself, with the right code: after five wrong ones, even that leads nowhere.
        const last = await visitor.twin().post(step.path, { ...fields, authorizationCode: code });
        return verdictOn(report, last.status);
      },
    };
  };
}

function verdictOn(report: string, last: number) {
  const results = readFfuf(report);
  const count = (status: number) => results.filter((result) => result.status === status).length;
  return {
    findings: [
      ...results
        .filter(({ status }) => !REFUSED.has(status))
        .map(({ word, status, location }) => `the guess ${word} was answered ${status} ${location}`),
      ...(REFUSED.has(last) ? [] : [`the right code after ${results.length} wrong ones: ${last}`]),
    ],
    notes: [`${count(400)} guesses refused, ${count(429)} told to wait; two customers signed in meanwhile`],
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
