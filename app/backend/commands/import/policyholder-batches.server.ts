import { readPid } from "~/contract/identifiers";
import type { UnreadableLine } from "../../lines-in.server";
import { findDocuments, type DocumentFile } from "./document-files.server";
import type { Pace } from "./pace.server";
import { readPolicyholder, type LineReading } from "./policyholder-line.server";

/** A non-empty line of the file. Line numbers start at 1. */
export interface Line {
  readonly number: number;
  readonly reading: LineReading;
  /** The documents it lists, found but not read. */
  readonly files: readonly DocumentFile[];
}

/** Lines that are written in one transaction. */
export interface Batch {
  readonly pace: Pace;
  readonly lines: readonly Line[];
}

/**
 * Reads the lines of a file in batches, each written in one transaction. No two lines of a batch concern the same
 * person or policy, because the second line must see what the first one wrote.
 * @param folder where the paths of documents begin
 * @param paceNow called for each batch
 */
export async function* batchesOf(
  lines: AsyncIterable<string | UnreadableLine>,
  folder: string,
  paceNow: () => Promise<Pace>,
): AsyncGenerator<Batch> {
  let batch = new GrowingBatch(await paceNow());
  let number = 0;
  for await (const read of lines) {
    number += 1;
    if (typeof read === "string" && read.trim() === "") continue;
    const line = { number, ...(await readLine(read, folder)) };
    const size = sizeOf(line, typeof read === "string" ? read.length : 0);
    if (!batch.hasRoomFor(size)) {
      yield batch;
      batch = new GrowingBatch(await paceNow());
    }
    batch.add(line, size);
  }
  if (batch.lines.length > 0) yield batch;
}

async function readLine(read: string | UnreadableLine, folder: string): Promise<Omit<Line, "number">> {
  if (typeof read !== "string") return { reading: { ok: false, problem: read.problem }, files: [] };
  const reading = readPolicyholder(read);
  if (!reading.ok || reading.holder.policies.every(({ documents }) => documents.length === 0))
    return { reading, files: [] };
  const found = await findDocuments(folder, reading.holder);
  return found.ok ? { reading, files: found.value } : { reading: found, files: [] };
}

/** What a line adds to a batch. */
interface LineSize {
  /** The person and the policies that the line concerns. */
  readonly names: readonly string[];
  readonly characters: number;
  readonly documents: number;
  readonly bytes: number;
}

function sizeOf({ reading, files }: Line, characters: number): LineSize {
  const rest = {
    characters,
    documents: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  if (!reading.ok) return { names: [], ...rest };
  const { kind, pid, policies } = reading.holder;
  const numbers = policies.map(({ policyNo }) => `policy ${policyNo.compared}`);
  return { names: [`${kind} ${readPid(pid).compared}`, ...numbers], ...rest };
}

class GrowingBatch implements Batch {
  readonly pace: Pace;
  readonly lines: Line[] = [];
  readonly #names = new Set<string>();
  #characters = 0;
  #documents = 0;
  #bytes = 0;

  constructor(pace: Pace) {
    this.pace = pace;
  }

  /** Any line has room in an empty batch. */
  hasRoomFor({ names, characters, documents, bytes }: LineSize): boolean {
    const { most } = this.pace;
    return (
      this.lines.length === 0 ||
      (this.lines.length < most.lines &&
        this.#names.size + names.length <= most.names &&
        this.#characters + characters <= most.characters &&
        this.#documents + documents <= most.documents &&
        this.#bytes + bytes <= most.bytes &&
        !names.some((name) => this.#names.has(name)))
    );
  }

  add(line: Line, { names, characters, documents, bytes }: LineSize): void {
    this.lines.push(line);
    for (const name of names) this.#names.add(name);
    this.#characters += characters;
    this.#documents += documents;
    this.#bytes += bytes;
  }
}
