import { pluralise } from "~/platform/pluralise";
import type { DocumentChange } from "../documents/write-documents.server";
import type { Imported, LineResult, ListedChange } from "./import-batch.server";
import type { WarningKind } from "./line-problems.server";

/** How many lines, policies and documents had each outcome. */
export interface ImportCounts {
  readonly policyholders: Readonly<Record<Imported["kind"], number>>;
  readonly documents: Readonly<Record<ListedChange, number>>;
  readonly policies: Readonly<Record<"withdrawn" | "leftOut", number>>;
  readonly warnings: Readonly<Record<WarningKind, number>>;
}

/** The counts of an import so far. */
export class ImportTally {
  readonly #policyholders = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  readonly #documents = { new: 0, changed: 0, unchanged: 0, withdrawn: 0, leftOut: 0 };
  readonly #policies = { withdrawn: 0, leftOut: 0 };
  readonly #warnings = {
    emailLeftOut: 0,
    premiumLeftOut: 0,
    outsideOfPrefixes: 0,
    notNineDigits: 0,
    specialRate: 0,
    notMobile: 0,
    peselCheckDigit: 0,
    nipCheckDigit: 0,
    oddValidity: 0,
    futureDocument: 0,
    titleWithoutCode: 0,
  };
  /** Number of the last line that was imported or refused; 0 if there is none. */
  #lastLine = 0;
  #read = 0;

  /** Counts a line that was read. Reading runs ahead of writing, because lines are written in batches. */
  countRead(): void {
    this.#read += 1;
  }

  /** Counts lines whose transaction is committed. */
  countWritten(results: readonly LineResult[]): void {
    for (const { number, result, warnings } of results) {
      this.#lastLine = number;
      this.#policyholders[result.kind] += 1;
      if (result.kind === "refused") continue;
      for (const { kind } of warnings) this.#warnings[kind] += 1;
      for (const change of result.documents) this.#documents[change] += 1;
      for (const change of result.policies) this.#policies[change] += 1;
    }
  }

  get counts(): ImportCounts {
    return {
      policyholders: this.#policyholders,
      documents: this.#documents,
      policies: this.#policies,
      warnings: this.#warnings,
    };
  }

  get lastLine(): number {
    return this.#lastLine;
  }

  /** The percentage of lines that were refused. */
  get percentRefused(): number {
    const lines = Object.values(this.#policyholders).reduce((sum, count) => sum + count, 0);
    return lines === 0 ? 0 : (this.#policyholders.refused / lines) * 100;
  }

  /** The progress of the import, for the waiting operator. */
  get progress(): string {
    const refused = this.#policyholders.refused.toLocaleString("en-US");
    return `${this.#read.toLocaleString("en-US")} lines, ${refused} refused`;
  }

  /** The outcome of the import, in one line. */
  get summary(): string {
    const { refused } = this.#policyholders;
    const lines = `Policyholders: ${changeCounts(this.#policyholders)}; documents: ${changeCounts(this.#documents)}; lines refused: ${refused}`;
    return [lines, ...takenBackCounts(this.counts), ...warningCounts(this.counts)].join("; ");
  }
}

/** Leaves out zeros: most imports take nothing back. */
function takenBackCounts({ policies, documents }: ImportCounts): string[] {
  const counted = (what: string, policyCount: number, documentCount: number) =>
    policyCount + documentCount === 0
      ? []
      : [`${what}: ${pluralise(policyCount, "policy", "policies")}, ${pluralise(documentCount, "document")}`];
  return [
    ...counted("withdrawn", policies.withdrawn, documents.withdrawn),
    ...counted("left out, because they were taken back", policies.leftOut, documents.leftOut),
  ];
}

/** What a summary calls each kind of warning. */
const WARNING_LABELS: Readonly<Record<WarningKind, string>> = {
  emailLeftOut: "e-mail addresses left out",
  premiumLeftOut: "premiums left out",
  outsideOfPrefixes: "numbers outside of SMS_PREFIXES",
  notNineDigits: "Polish numbers without nine digits",
  specialRate: "special-rate numbers",
  notMobile: "landlines and the like",
  peselCheckDigit: "PESELs with a wrong check digit",
  nipCheckDigit: "NIPs with a wrong check digit",
  oddValidity: "days of validity before 1950 or after 2150",
  futureDocument: "documents dated in the future",
  titleWithoutCode: "transfer titles without a QR code",
};

function warningCounts({ warnings }: ImportCounts): string[] {
  const counted = Object.entries(WARNING_LABELS).flatMap(([kind, label]) => {
    const count = warnings[kind as WarningKind];
    return count === 0 ? [] : [`${count} ${label}`];
  });
  return counted.length === 0 ? [] : [`warnings: ${counted.join(", ")}`];
}

function changeCounts(counts: Readonly<Record<DocumentChange, number>>): string {
  return `${counts.new} new, ${counts.changed} changed, ${counts.unchanged} unchanged`;
}
