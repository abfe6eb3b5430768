import type { DocumentChange } from "../../services/documents/write-documents.server";
import type { Imported, LineResult } from "./import-batch.server";

/** How many lines and documents had each outcome. */
export interface ImportCounts {
  readonly policyholders: Readonly<Record<Imported["kind"], number>>;
  readonly documents: Readonly<Record<DocumentChange, number>>;
}

/** What an import has done so far. */
export class ImportTally {
  readonly #policyholders = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  readonly #documents = { new: 0, changed: 0, unchanged: 0 };
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
      if (result.kind !== "refused") for (const change of result.documents) this.#documents[change] += 1;
    }
  }

  get counts(): ImportCounts {
    return { policyholders: this.#policyholders, documents: this.#documents };
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
    return `Policyholders: ${inWords(this.#policyholders)}; documents: ${inWords(this.#documents)}; lines refused: ${refused}`;
  }
}

function inWords(counts: ImportCounts["documents"]): string {
  return `${counts.new} new, ${counts.changed} changed, ${counts.unchanged} unchanged`;
}
