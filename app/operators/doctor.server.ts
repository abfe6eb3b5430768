import { checkInstallation } from "~/backend/index.server";
import type { CheckResult } from "~/backend/types";
import {
  type Environment,
  DOCTOR_SCOPE,
  processEnvironment,
  withScope,
} from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { type AddCommands, EXIT, type ExitCode, type Output, reportInWords } from "./kit/command.server";

const WIDTH = "problem".length;

/** `doctor`. Changes nothing. Exits with 1 if there is a problem. */
export const addDoctor: AddCommands = (program, runs) => {
  program
    .command("doctor")
    .description("check the configuration and all that the portal depends on, and say what to do")
    .option("--json", "print the results as JSON")
    .action(runs("unchecked", examine));
};

async function examine(output: Output, { json }: { readonly json?: true }): Promise<ExitCode> {
  return withScope(DOCTOR_SCOPE, () => examineAsked(output, json));
}

async function examineAsked(output: Output, json: true | undefined): Promise<ExitCode> {
  const reading = processEnvironment();
  const checks = reading.ok
    ? [configuration(reading.environment), ...(await checkInstallation(reading.environment, systemClock))]
    : reading.problems.map((text) => ({ name: "configuration", level: "problem" as const, text }));
  const lines = checks.map(({ name, level, text }) => `${level.padEnd(WIDTH)}  ${name}: ${text}`);
  reportInWords(output, json, { checks }, lines);
  return checks.some(({ level }) => level === "problem") ? EXIT.problem : EXIT.done;
}

function configuration({ PORTAL_MODE, BACKEND_URL, DATABASE_URL }: Environment): CheckResult {
  const embedded = DATABASE_URL === undefined ? "SQLite" : "PostgreSQL";
  const backend = BACKEND_URL === undefined ? `the embedded backend on ${embedded}` : "an attached backend";
  const text = `every variable is right: ${PORTAL_MODE} mode, ${backend}`;
  return { name: "configuration", level: "ok", text };
}
