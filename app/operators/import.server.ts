import { InvalidArgumentError } from "@commander-js/extra-typings";
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { importPolicyholders, ImportTally, interruptedAfter, withDatabase } from "~/backend/index.server";
import type { ImportRun, OnRemark } from "~/backend/types";
import { environment } from "~/platform/config/environment.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  interruption,
  type Output,
  reportInWords,
  showProgress,
} from "./kit/command.server";
import { noticesOfCommands } from "./kit/notices.server";
import { auditSource } from "./kit/operator-act.server";

/** How many refused lines are listed if there are too many. */
const MOST_LISTED = 1000;

/** How far the heap may grow before garbage is collected, in percent. V8's default takes 60 MB more. */
const HEAP_GROWTH = 30;

/** `import FILE`. Exits with 1 if a line was refused, if there was none, or the file was not read to its end. */
export const addImport: AddCommands = (program, runs) => {
  program
    .command("import")
    .description("add and update policyholders, policies and documents (docs/operations/import.md)")
    .argument("<file>", "one policyholder per line, as JSON; - for standard input")
    .option("--operator <name>", "who does this, for the audit; default: the system account")
    .option("--phone-verified", "use changed phone numbers at once: the insurer has verified each of them")
    .option("--strict", "refuse lines with a warning")
    .option("--dry-run", "say what it would do, by line and field, and change nothing")
    .option(
      "--max-refused <percent>",
      "change nothing if more lines would be refused, in percent",
      readPercent,
    )
    .option(
      "--let-in <id>",
      "let a document that was taken back in again, as the file has it (can be repeated)",
      (id: string, ids?: readonly string[]): readonly string[] => [...(ids ?? []), id],
    )
    .option("--json", "print the counts as JSON")
    .action(runs(["database", "keys", "notices"], importAndReport));
};

function readPercent(text: string): number {
  if (!/^(100|\d{1,2})%?$/.test(text)) throw new InvalidArgumentError("Expected a percentage such as 5%.");
  return Number.parseInt(text, 10);
}

interface ImportOptions {
  readonly operator?: string;
  readonly phoneVerified?: true;
  readonly strict?: true;
  readonly dryRun?: true;
  readonly maxRefused?: number;
  readonly letIn?: readonly string[];
  readonly json?: true;
}

async function importAndReport(output: Output, file: string, options: ImportOptions): Promise<ExitCode> {
  const operator = options.operator ?? environment().SUDO_USER ?? userInfo().username;
  const source = auditSource({ operator, reason: "import" });
  const { maxRefused } = options;
  if (maxRefused !== undefined && file === "-")
    throw new UsageError("--max-refused reads the file twice, so that it can't be standard input");
  // Save memory: an import runs for minutes, often beside portals on the same machine.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  // In a container or under sudo a command runs in another folder than its operator thinks.
  if (file !== "-" && !existsSync(file)) throw new UsageError(`${resolve(file)} is not there`);
  const { signal: stop, ignore } = interruption();
  const isPhoneVerified = options.phoneVerified === true;
  const isStrict = options.strict === true;
  const letIn = new Set(options.letIn);
  const run = (isRehearsal: boolean) => ({ source, isPhoneVerified, isStrict, letIn, stop, isRehearsal });
  try {
    if (maxRefused !== undefined) {
      const tally = new ImportTally();
      const refusals: string[] = [];
      const keep: OnRemark = (remark, isRefused) => {
        if (isRefused && refusals.length < MOST_LISTED) refusals.push(remark);
      };
      await importFile(file, output, run(true), tally, keep);
      if (!stop.aborted && tally.percentRefused > maxRefused) {
        reportInWords(output, options.json, tally.counts, [tally.summary]);
        refusals.forEach(output.printError);
        output.printError(
          `portal: more than ${maxRefused}% of the lines would be refused${refusals.length < MOST_LISTED ? "" : " (--dry-run says all)"}: nothing was changed`,
        );
        return EXIT.problem;
      }
    }
    return await importOnce(output, file, options, run(options.dryRun === true));
  } finally {
    ignore();
  }
}

async function importOnce(
  output: Output,
  file: string,
  { json, dryRun }: ImportOptions,
  run: ImportRun,
): Promise<ExitCode> {
  const tally = new ImportTally();
  const summarize = () => {
    const lines = dryRun ? [tally.summary, "Nothing was changed: this was a dry run"] : [tally.summary];
    reportInWords(output, json, { ...tally.counts, dryRun: dryRun === true }, lines);
  };
  try {
    await importFile(file, output, run, tally, output.printError);
  } catch (error) {
    if (tally.lastLine > 0) summarize();
    throw error;
  }
  summarize();
  const { stop } = run;
  if (stop.aborted) output.printError(`portal: ${interruptedAfter(tally)}: run it again for the rest`);
  else if (tally.lastLine === 0) output.printError("portal: the file is empty: there was nothing to import");
  const isDone = tally.lastLine > 0 && tally.counts.policyholders.refused === 0 && !stop.aborted;
  return isDone ? EXIT.done : EXIT.problem;
}

/** Imports the file once, and shows the progress to a waiting operator. */
async function importFile(
  file: string,
  { input, terminal }: Output,
  run: ImportRun,
  tally: ImportTally,
  onRemark: OnRemark,
): Promise<void> {
  const progress = showProgress(terminal, () => tally.progress);
  try {
    await withDatabase("portal", async (store, keyring) => {
      const deps = { store, keyring, notices: await noticesOfCommands(keyring) };
      const clearAndTell: OnRemark = (remark, isRefused) => {
        progress.clear();
        onRemark(remark, isRefused);
      };
      await importPolicyholders(deps, { file, input }, run, clearAndTell, tally);
    });
  } finally {
    progress.end();
  }
}
