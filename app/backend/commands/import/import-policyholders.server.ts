import { open, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { environment } from "~/platform/config/environment.server";
import type { PdfWork } from "../../documents/pdf-work.server";
import { openPdfWork } from "../../documents/pdf-workers.server";
import type { Keyring } from "../../secrets/keyring.server";
import {
  isKept,
  type DocumentChange,
  type KeptDocument,
} from "../../services/documents/write-documents.server";
import type { Store } from "../../store/store.server";
import { importBatch, readyLine, type Imported, type ReadyLine } from "./import-batch.server";
import { linesIn } from "../../lines-in.server";
import { batchesOf } from "./policyholder-batches.server";
import { EXIT, type ExitCode } from "../kit/exit-code.server";
import { report, type Output } from "../kit/output.server";
import { withPortalDatabase } from "../kit/portal-database.server";
import { showProgress } from "../kit/progress.server";
import type { AddCommands } from "../kit/runs.server";

/** What to import. */
interface ImportSource {
  /** One policyholder each; undefined stands for a line that is too long. */
  readonly lines: AsyncIterable<string | undefined>;
  /** Where the paths of documents begin, without symbolic links. */
  readonly folder: string;
  readonly pdf: Pick<PdfWork, "check">;
}

/** How many lines, and how many documents, had each result. */
interface ImportCounts {
  readonly policyholders: Readonly<Record<Imported["kind"], number>>;
  readonly documents: Readonly<Record<DocumentChange, number>>;
}

/**
 * Imports policyholders from a file with one JSON object per line. Policyholders are told apart by kind and identifier.
 * New ones are added and changed ones updated; nothing is deleted. A policy never changes hands here, since one mistyped
 * number would show a customer someone else's contract. Each line is written whole or not at all, and importing the same
 * file again changes nothing.
 * @param printError gets the number of each refused line and the reason, but nothing from the line itself
 * @param onRead gets the number of lines read so far, and how many are known to be refused
 */
export async function importPolicyholders(
  store: Store,
  keyring: Keyring,
  { lines, folder, pdf }: ImportSource,
  printError: (line: string) => void,
  onRead: (lines: number, refused: number) => void = () => undefined,
): Promise<ImportCounts> {
  const counts = noCounts();
  let read = 0;
  // What is kept was checked when it came.
  const check = async (document: KeptDocument) =>
    (await isKept(store.read, keyring, document)) ? "fine" : pdf.check(document.content);
  for await (const batch of batchesOf(lines, folder)) {
    const ready: ReadyLine[] = [];
    for (const line of batch) {
      ready.push(await readyLine(check, line));
      onRead((read += 1), counts.policyholders.refused);
    }
    const results = await store.write((tx) => importBatch(tx, keyring, ready));
    for (const { number, result } of results) {
      counts.policyholders[result.kind] += 1;
      if (result.kind === "refused") printError(`line ${number}: ${result.problem}`);
      else for (const change of result.documents) counts.documents[change] += 1;
    }
  }
  return counts;
}

function noCounts() {
  return {
    policyholders: { new: 0, changed: 0, unchanged: 0, refused: 0 },
    documents: { new: 0, changed: 0, unchanged: 0 },
  } satisfies ImportCounts;
}

/** `import FILE`. Exits with 1 if a line was refused. */
export const addImport: AddCommands = (program, runs) => {
  program
    .command("import")
    .alias("import-policyholders")
    .description("add and update policyholders, policies and documents (docs/operations/import.md)")
    .argument("<file>", "one policyholder per line, as JSON; - for standard input")
    .option("--json", "print the counts as JSON")
    .action(runs(importAndReport));
};

async function importAndReport(
  output: Output,
  file: string,
  { json }: { readonly json?: true },
): Promise<ExitCode> {
  const counts = await importFile(file, output);
  const { policyholders, documents } = counts;
  report(output, json, counts, [
    `Policyholders: ${inWords(policyholders)}; documents: ${inWords(documents)}; lines refused: ${policyholders.refused}`,
  ]);
  return policyholders.refused > 0 ? EXIT.problem : EXIT.done;
}

async function importFile(file: string, { printError, terminal }: Output): Promise<ImportCounts> {
  let soFar = progressOf(0, 0);
  const progress = showProgress(terminal, () => soFar);
  const pdf = openPdfWork(environment().limits);
  try {
    const folder = await realpath(file === "-" ? "." : dirname(file));
    return await withPortalDatabase(async (store, keyring) =>
      importPolicyholders(
        store,
        keyring,
        { lines: linesIn(await contentOf(file)), folder, pdf },
        (line) => {
          progress.clear();
          printError(line);
        },
        (lines, refused) => {
          soFar = progressOf(lines, refused);
        },
      ),
    );
  } finally {
    progress.end();
    await pdf.close();
  }
}

async function contentOf(file: string): Promise<AsyncIterable<Buffer>> {
  return file === "-" ? process.stdin : (await open(file)).createReadStream();
}

function progressOf(lines: number, refused: number): string {
  return `${lines.toLocaleString("en-US")} lines, ${refused.toLocaleString("en-US")} refused`;
}

function inWords(counts: ImportCounts["documents"]): string {
  return `${counts.new} new, ${counts.changed} changed, ${counts.unchanged} unchanged`;
}
