import { open, realpath } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import type { DocumentChange } from "~/backend/services/documents/write-documents.server";
import { environment } from "~/platform/config/environment.server";
import { isoDayInPoland } from "~/platform/time.server";
import type { AuditSource } from "~/backend/audit-event.server";
import { openPdfWork } from "~/backend/documents/pdf-workers.server";
import { linesIn } from "~/backend/lines-in.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { isPortalServing } from "~/backend/store/serving-portals.server";
import type { Store } from "~/backend/store/store.server";
import {
  type AddCommands,
  counted,
  EXIT,
  type ExitCode,
  interruption,
  type Output,
  report,
  showProgress,
} from "../kit/command.server";
import { auditSource } from "../kit/operator-act.server";
import { withPortalDatabase } from "../kit/portal-database.server";
import { paceBeside } from "./policyholder-batches.server";
import type { Imported, LineResult, ListedChange } from "./import-batch.server";
import { importedLines, type ImportSource } from "./imported-lines.server";

/** How many lines, policies and documents had each outcome. */
export interface ImportCounts {
  readonly policyholders: Readonly<Record<Imported["kind"], number>>;
  readonly documents: Readonly<Record<ListedChange, number>>;
  readonly policies: Readonly<Record<"withdrawn" | "leftOut", number>>;
}

/** What an import has done so far. */
export class ImportTally {
  readonly #policyholders = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  readonly #documents = { new: 0, changed: 0, unchanged: 0, withdrawn: 0, leftOut: 0 };
  readonly #policies = { withdrawn: 0, leftOut: 0 };
  /** Number of the last line that was imported or refused; 0 if there is none. */
  #lastLine = 0;
  #read = 0;

  /** Counts a line that was read. Reading runs ahead of writing, because lines are written in batches. */
  countRead(): void {
    this.#read += 1;
  }

  /** Counts lines whose transaction is committed. */
  countWritten(results: readonly LineResult[]): void {
    for (const { number, result } of results) {
      this.#lastLine = number;
      this.#policyholders[result.kind] += 1;
      if (result.kind === "refused") continue;
      for (const change of result.documents) this.#documents[change] += 1;
      for (const change of result.policies) this.#policies[change] += 1;
    }
  }

  get counts(): ImportCounts {
    return { policyholders: this.#policyholders, documents: this.#documents, policies: this.#policies };
  }

  get lastLine(): number {
    return this.#lastLine;
  }

  /** How far the import is, for someone who is waiting. */
  get progress(): string {
    const refused = this.#policyholders.refused.toLocaleString("en-US");
    return `${this.#read.toLocaleString("en-US")} lines, ${refused} refused`;
  }

  /** What the import did, in one line. */
  get summary(): string {
    const { refused } = this.#policyholders;
    const lines = `Policyholders: ${inWords(this.#policyholders)}; documents: ${inWords(this.#documents)}; lines refused: ${refused}`;
    return [lines, ...takenBackInWords(this.counts)].join("; ");
  }
}

/** Only what there was: most imports take nothing back. */
function takenBackInWords({ policies, documents }: ImportCounts): string[] {
  const told = (what: string, policyCount: number, documentCount: number) =>
    policyCount + documentCount === 0
      ? []
      : [`${what}: ${counted(policyCount, "policy", "policies")}, ${counted(documentCount, "document")}`];
  return [
    ...told("withdrawn", policies.withdrawn, documents.withdrawn),
    ...told("left out, because they were taken back", policies.leftOut, documents.leftOut),
  ];
}

function inWords(counts: Readonly<Record<DocumentChange, number>>): string {
  return `${counts.new} new, ${counts.changed} changed, ${counts.unchanged} unchanged`;
}

/**
 * Imports policyholders from a file with one JSON object per line. Kind and identifier tell policyholders apart. New
 * ones are added and changed ones updated; nothing is deleted. A policy never changes hands here, because one mistyped
 * number would show a customer someone else's contract. Each line is written completely or not at all, and importing
 * the same file again changes nothing.
 * @param printError gets the number of each refused line and the reason, but nothing from the line itself
 * @param tally counts what is done, even if this throws
 */
export async function importPolicyholders(
  store: Store,
  keyring: Keyring,
  source: Omit<ImportSource, "onRead">,
  printError: (line: string) => void,
  tally: ImportTally,
): Promise<void> {
  const onRead = () => {
    tally.countRead();
  };
  for await (const results of importedLines(store, keyring, { ...source, onRead })) {
    tally.countWritten(results);
    for (const { number, result } of results)
      for (const remark of remarksOn(result)) printError(`line ${number}: ${remark}`);
  }
}

function remarksOn(result: Imported): readonly string[] {
  if (result.kind === "refused") return [result.problem];
  return result.leftOut.map(
    ({ where, at }) => `${where}: left out, because it was taken back on ${isoDayInPoland(at)}`,
  );
}

/** How far the heap may grow before garbage is collected, in percent. V8's default takes 60 MB more. */
const HEAP_GROWTH = 30;

/** `import FILE`. Exits with 1 if a line was refused, if there was none, or the file was not read to its end. */
export const addImport: AddCommands = (program, runs) => {
  program
    .command("import")
    .alias("import-policyholders")
    .description("add and update policyholders, policies and documents (docs/operations/import.md)")
    .argument("<file>", "one policyholder per line, as JSON; - for standard input")
    .option("--operator <name>", "who does this, for the audit; default: the system account")
    .option("--json", "print the counts as JSON")
    .action(runs(importAndReport));
};

async function importAndReport(
  output: Output,
  file: string,
  { json, operator }: { readonly json?: true; readonly operator?: string },
): Promise<ExitCode> {
  const source = auditSource({ operator: operator ?? userInfo().username, reason: "import" });
  // Save memory: an import runs for minutes, often beside portals on the same machine.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const tally = new ImportTally();
  const { signal: stop, ignore } = interruption();
  const summarize = () => {
    report(output, json, tally.counts, [tally.summary]);
  };
  try {
    await importFile(file, output, { source, tally, stop });
  } catch (error) {
    if (tally.lastLine > 0) summarize();
    throw error;
  } finally {
    ignore();
  }
  summarize();
  if (stop.aborted)
    output.printError(`portal: interrupted after line ${tally.lastLine}: run it again for the rest`);
  else if (tally.lastLine === 0) output.printError("portal: the file is empty: there was nothing to import");
  const isDone = tally.lastLine > 0 && tally.counts.policyholders.refused === 0 && !stop.aborted;
  return isDone ? EXIT.done : EXIT.problem;
}

/** A run of `import`. */
interface ImportRun {
  readonly source: AuditSource;
  readonly tally: ImportTally;
  readonly stop: AbortSignal;
}

async function importFile(
  file: string,
  { printError, terminal }: Output,
  { source, tally, stop }: ImportRun,
): Promise<void> {
  const { limits, DATA_DIR } = environment();
  const progress = showProgress(terminal, () => tally.progress);
  const pdf = openPdfWork(limits);
  try {
    const folder = await realpath(file === "-" ? "." : dirname(file));
    await withPortalDatabase(async (store, keyring) => {
      const content = addAbortSignal(stop, await contentOf(file));
      const from = {
        lines: linesIn(content),
        folder,
        check: (document: Buffer) => pdf.check(document),
        paceNow: paceBeside(() => isPortalServing(store.read, DATA_DIR)),
        stop,
        writing: { limits, source },
      };
      const printRefusal = (line: string) => {
        progress.clear();
        printError(line);
      };
      await importPolicyholders(store, keyring, from, printRefusal, tally);
    });
  } finally {
    progress.end();
    await pdf.close();
  }
}

async function contentOf(file: string): Promise<Readable> {
  return file === "-" ? process.stdin : (await open(file)).createReadStream();
}
