import { readPid } from "~/contract/rules";
import type { UnreadableLine } from "~/platform/files/lines-in.server";
import { isoDayInPoland, SECOND, stopwatch, type Clock } from "~/platform/time.server";
import { findDocuments, type DocumentFile } from "./document-files.server";
import { WITHOUT_END } from "~/contract/customer-area.server";
import { smsReach } from "../messages/sms-reach.server";
import { bankText } from "~/platform/bank-text.server";
import { hasPeselCheckDigit } from "../support/personal-numbers.server";
import { type Warning, type WarningKind, warningText } from "./line-problems.server";
import {
  type ImportedHolder,
  type LineReading,
  type ListedPolicy,
  readPolicyholder,
} from "./policyholder-line.server";

const MB = 1024 * 1024;
/** How long an answer of `isPortalServing` stays valid, in ms. */
const LOOK_MS = SECOND;

/** How much an import does at a time, and how long it pauses afterwards. */
export interface Pace {
  /** Maximum per transaction, unless a single line has more. */
  readonly most: {
    /** People, policies and documents. */
    readonly rows: number;
    /** Of the documents, which are in memory together. */
    readonly bytes: number;
  };
  /** The pause after a transaction, as a multiple of the time that it took. The next lines are prepared meanwhile. */
  readonly rest: number;
  /** Whether the next lines are prepared while a transaction is under way. */
  readonly preparesAhead: boolean;
}

/** No customer is waiting: large transactions, few commits. */
export const ALONE: Pace = {
  most: { rows: 500, bytes: 4 * MB },
  rest: 0,
  preparesAhead: true,
};

/**
 * On SQLite, sign-ins wait while a transaction is open; on PostgreSQL, they share processors and disk with the import.
 */
export const BESIDE_PORTALS: Pace = {
  most: { rows: 32, bytes: MB },
  rest: 3,
  preparesAhead: false,
};

/** Chooses the pace, looking for portals at most once a second. */
export function paceBeside(
  isPortalServing: () => Promise<boolean>,
  now: Clock = stopwatch,
): () => Promise<Pace> {
  let pace = BESIDE_PORTALS;
  let lookAgainAt = -Infinity;
  return async () => {
    if (now() >= lookAgainAt) {
      pace = (await isPortalServing()) ? BESIDE_PORTALS : ALONE;
      lookAgainAt = now() + LOOK_MS;
    }
    return pace;
  };
}

/** A non-empty line of the file. Line numbers start at 1. */
export interface Line {
  readonly number: number;
  readonly reading: LineReading;
  /** The documents that it lists, found but not read. */
  readonly files: readonly DocumentFile[];
}

/** How lines are read. */
export interface LineRules {
  /** The folder that the paths of documents start from, without symbolic links. */
  readonly folder: string;
  /** The countries whose numbers get messages. */
  readonly smsPrefixes: readonly string[];
  /** Whether a line with a warning is refused. */
  readonly isStrict?: boolean;
}

/** Lines that are written in one transaction. */
export interface Batch {
  readonly pace: Pace;
  readonly lines: readonly Line[];
}

/**
 * Reads the lines of a file in batches, each written in one transaction. No two lines of a batch concern the same
 * person or policy, because the second line must see the result of the first.
 * @param paceNow called for each batch
 */
export async function* batchesOf(
  lines: AsyncIterable<string | UnreadableLine>,
  rules: LineRules,
  paceNow: () => Promise<Pace>,
): AsyncGenerator<Batch> {
  let batch = new GrowingBatch(await paceNow());
  let number = 0;
  for await (const read of lines) {
    number += 1;
    if (typeof read === "string" && read.trim() === "") continue;
    const line = { number, ...(await readLine(read, rules)) };
    const size = sizeOf(line);
    if (!batch.hasRoomFor(size)) {
      yield batch;
      batch = new GrowingBatch(await paceNow());
    }
    batch.add(line, size);
  }
  if (batch.lines.length > 0) yield batch;
}

async function readLine(read: string | UnreadableLine, rules: LineRules): Promise<Omit<Line, "number">> {
  const reading: LineReading =
    typeof read === "string"
      ? withWarnings(readPolicyholder(read), rules)
      : { ok: false, problem: read.problem };
  if (!reading.ok || reading.holder.policies.every(({ documents }) => documents.length === 0))
    return { reading, files: [] };
  const found = await findDocuments(rules.folder, reading.holder);
  return found.ok ? { reading, files: found.value } : { reading: found, files: [] };
}

/** Adds the warnings about a valid line, or refuses it because of them. */
function withWarnings(reading: LineReading, { smsPrefixes, isStrict = false }: LineRules): LineReading {
  if (!reading.ok) return reading;
  const warnings = [...reading.warnings, ...warningsOn(reading.holder, smsPrefixes)];
  return isStrict && warnings.length > 0
    ? { ok: false, problem: warnings.map(warningText).join("; ") }
    : { ...reading, warnings };
}

/** The size that a line adds to a batch. */
interface LineSize {
  /** The person and the policies that the line concerns. */
  readonly names: readonly string[];
  readonly rows: number;
  readonly bytes: number;
}

function sizeOf({ reading, files }: Line): LineSize {
  if (!reading.ok) return { names: [], rows: 1, bytes: 0 };
  const { kind, pid, policies } = reading.holder;
  const numbers = policies.map(({ policyNo }) => `policy ${policyNo.compared}`);
  const names = [`${kind} ${readPid(pid).compared}`, ...numbers];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { names, rows: names.length + files.length, bytes };
}

class GrowingBatch implements Batch {
  readonly pace: Pace;
  readonly lines: Line[] = [];
  readonly #names = new Set<string>();
  #rows = 0;
  #bytes = 0;

  constructor(pace: Pace) {
    this.pace = pace;
  }

  /** Any line has room in an empty batch. */
  hasRoomFor({ names, rows, bytes }: LineSize): boolean {
    const { most } = this.pace;
    return (
      this.lines.length === 0 ||
      (this.#rows + rows <= most.rows &&
        this.#bytes + bytes <= most.bytes &&
        !names.some((name) => this.#names.has(name)))
    );
  }

  add(line: Line, { names, rows, bytes }: LineSize): void {
    this.lines.push(line);
    for (const name of names) this.#names.add(name);
    this.#rows += rows;
    this.#bytes += bytes;
  }
}

/**
 * Warnings about the phone number, the identifier and the policies of a valid line.
 * @param smsPrefixes the countries whose numbers get messages
 */
function warningsOn(
  { kind, phone, pid, policies }: ImportedHolder,
  smsPrefixes: readonly string[],
): readonly Warning[] {
  const doubts = [
    { where: "phone", kind: doubtOfPhone(phone, smsPrefixes) },
    { where: "pid", kind: doubtOfPid(kind, pid) },
    ...policies.flatMap((policy, nth) =>
      policy.withdrawn
        ? []
        : doubtsOfPolicy(policy).map(({ where, ...doubt }) => ({
            where: `policies.${nth}.${where}`,
            ...doubt,
          })),
    ),
  ];
  return doubts.flatMap((doubt) => (doubt.kind === undefined ? [] : [{ ...doubt, kind: doubt.kind }]));
}

interface Doubt {
  readonly where: string;
  readonly kind: WarningKind | undefined;
}

function doubtsOfPolicy({ validFrom, validTo, premium, documents }: ListedPolicy): readonly Doubt[] {
  const today = isoDayInPoland(Date.now());
  const validity = (day: string) =>
    day < "1950-01-01" || (day > "2150-12-31" && day !== WITHOUT_END) ? "oddValidity" : undefined;
  return [
    { where: "validFrom", kind: validity(validFrom) },
    { where: "validTo", kind: validity(validTo) },
    {
      where: "premium.title",
      kind: bankText(premium?.title ?? "") === undefined ? "titleWithoutCode" : undefined,
    },
    ...documents.map(({ issuedOn }, nth) => ({
      where: `documents.${nth}.issuedOn`,
      kind: issuedOn > today ? ("futureDocument" as const) : undefined,
    })),
  ];
}

const NINE_DIGITS = /^\+48\d{9}$/;

function doubtOfPhone(phone: string, prefixes: readonly string[]): WarningKind | undefined {
  switch (smsReach(phone, prefixes)) {
    case "mobile":
      return undefined;
    case "landline":
      return "notMobile";
    case "country":
      return "outsideOfPrefixes";
    case "no-sms":
      return NINE_DIGITS.test(phone) ? "specialRate" : "notNineDigits";
  }
}

const NIP_WEIGHTS = [6, 5, 7, 2, 3, 4, 5, 6, 7];

function doubtOfPid(kind: ImportedHolder["kind"], pid: string): WarningKind | undefined {
  const digits = [...pid].map(Number);
  if (kind === "individual") return hasPeselCheckDigit(pid) ? undefined : "peselCheckDigit";
  if (kind !== "company") return undefined;
  const sum = NIP_WEIGHTS.reduce((total, weight, at) => total + weight * (digits[at] ?? 0), 0);
  return sum % 11 === digits.at(-1) ? undefined : "nipCheckDigit";
}
