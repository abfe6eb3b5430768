import { InvalidArgumentError } from "@commander-js/extra-typings";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, resolve } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { environment } from "~/platform/config/environment.server";
import { isoDayInPoland, systemClock } from "~/platform/time.server";
import { audit, type StaffSource } from "~/backend/audit/audit-event.server";
import { openPdfWork } from "~/backend/documents/pdf-workers.server";
import { noteSuccess } from "~/backend/jobs/job-successes.server";
import { linesIn } from "~/platform/files/lines-in.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { isPortalServing } from "~/backend/store/serving-portals.server";
import { documentsTakenBack } from "~/backend/documents/take-back.server";
import type { Reader, Store } from "~/backend/store/store.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  interruption,
  type Output,
  reportInWords,
  showProgress,
} from "./kit/command.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { auditSource } from "./kit/operator-act.server";
import { hashing } from "~/platform/files/hashing.server";
import { noticesOfCommands } from "./kit/notices.server";
import { withDatabase } from "~/backend/store/portal-database.server";
import { paceBeside } from "~/backend/import/policyholder-batches.server";
import type { LineResult } from "~/backend/import/import-batch.server";
import { ImportTally } from "./import-tally.server";
import { importedLines, type ImportSource } from "~/backend/import/imported-lines.server";
import { inWords, type WarningKind } from "~/backend/import/line-problems.server";

/**
 * Imports policyholders from a file with one JSON object per line. Kind and identifier tell policyholders apart. New
 * ones are added and changed ones updated; nothing is deleted. A policy never changes hands here, because one mistyped
 * number would show a customer someone else's contract. Each line is written completely or not at all, and importing
 * the same file again changes nothing.
 * @param tell gets the number of each line with a remark and the remark, but nothing from the line itself
 * @param tally counts what is done, even if this throws
 */
export async function importPolicyholders(
  store: Store,
  keyring: Keyring,
  source: Omit<ImportSource, "onRead">,
  tell: Tell,
  tally: ImportTally,
): Promise<void> {
  const onRead = () => {
    tally.countRead();
  };
  for await (const results of importedLines(store, keyring, { ...source, onRead })) {
    tally.countWritten(results);
    for (const line of results)
      for (const remark of remarksOn(line, source.isRehearsal === true))
        tell(`line ${line.number}: ${remark}`, line.result.kind === "refused");
  }
}

/** Tells a remark on a line, and whether that refuses it. */
type Tell = (remark: string, refuses: boolean) => void;

/** The warnings about what a line lacks afterwards. */
const LEFT_OUT: readonly WarningKind[] = ["emailLeftOut", "premiumLeftOut"];

/** @param isRehearsal whether to say everything; otherwise only what a line lacks afterwards, and the tally counts the rest */
function remarksOn({ result, warnings }: LineResult, isRehearsal: boolean): readonly string[] {
  if (result.kind === "refused") return [result.problem];
  const told = warnings.filter(({ kind }) => isRehearsal || LEFT_OUT.includes(kind));
  return [
    ...(isRehearsal && result.fields.length > 0 ? [`changes ${result.fields.join(", ")}`] : []),
    ...told.map(inWords),
    ...result.leftOut.map(({ where, at, letIn }) => {
      const isOther = letIn === undefined ? "" : `; its content is another one: --let-in ${letIn} lets it in`;
      return `${where}: left out, because it was taken back on ${isoDayInPoland(at)}${isOther}`;
    }),
  ];
}

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
      const keep: Tell = (remark, refuses) => {
        if (refuses && refusals.length < MOST_LISTED) refusals.push(remark);
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

function interruptedAfter({ lastLine }: ImportTally): string {
  return `interrupted after line ${lastLine}`;
}

/** A run of `import`. */
interface ImportRun {
  readonly source: StaffSource;
  readonly isPhoneVerified: boolean;
  readonly isStrict: boolean;
  readonly letIn: ReadonlySet<string>;
  readonly isRehearsal: boolean;
  readonly stop: AbortSignal;
}

async function importFile(
  file: string,
  { input, terminal }: Output,
  { source, isPhoneVerified, isStrict, letIn, isRehearsal, stop }: ImportRun,
  tally: ImportTally,
  tell: Tell,
): Promise<void> {
  const { limits, DATA_DIR, SMS_PREFIXES: smsPrefixes } = environment();
  const progress = showProgress(terminal, () => tally.progress);
  const pdf = openPdfWork(limits);
  try {
    const folder = await realpath(file === "-" ? "." : dirname(file));
    await withDatabase("portal", async (store, keyring) => {
      await refuseUnknown(store.read, letIn);
      const content = addAbortSignal(stop, await contentOf(file, input));
      const hash = createHash("sha256");
      const from = {
        lines: linesIn(hashing(content, hash)),
        rules: { folder, smsPrefixes, isStrict },
        check: (document: Buffer) => pdf.check(document),
        paceNow: paceBeside(() => isPortalServing(store.read, DATA_DIR)),
        stop,
        isRehearsal,
        writing: { limits, source, isPhoneVerified, letIn, notices: await noticesOfCommands(keyring) },
      };
      if (!isRehearsal)
        await store.write((tx) =>
          audit(tx, source, systemClock(), { event: "import-begun", reason: "import" }),
        );
      const tellOf: Tell = (remark, refuses) => {
        progress.clear();
        tell(remark, refuses);
      };
      await importPolicyholders(store, keyring, from, tellOf, tally);
      if (isRehearsal) return;
      const done = stop.aborted ? `${interruptedAfter(tally)}: ${tally.summary}` : tally.summary;
      const isWhole = !stop.aborted && tally.lastLine > 0;
      await auditRun(store, source, { reason: `${done}; sha256 ${hash.digest("hex")}`, isWhole });
    });
  } finally {
    progress.end();
    await pdf.close();
  }
}

/** @throws UsageError if one of these documents was not taken back */
async function refuseUnknown(reader: Reader, letIn: ReadonlySet<string>): Promise<void> {
  for (const id of letIn)
    if (!(await documentsTakenBack(reader).where("id", "=", id).executeTakeFirst()))
      throw new UsageError(
        "--let-in: expected the id of a document that was taken back (portal policy show)",
      );
}

async function contentOf(file: string, input: Readable): Promise<Readable> {
  return file === "-" ? input : (await open(file)).createReadStream();
}

/** Audits a whole run. The event has the same request id as every other event of the run. */
async function auditRun(
  store: Store,
  source: StaffSource,
  { reason, isWhole }: { readonly reason: string; readonly isWhole: boolean },
): Promise<void> {
  const now = systemClock();
  await store.write(async (tx) => {
    await audit(tx, source, now, { event: "policyholders-imported", reason });
    // Refused lines are the insurer's systems' business, and have an exit code: the job ran.
    if (isWhole) await noteSuccess(tx, "import", now);
  });
}
