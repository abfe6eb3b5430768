import { readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { type PdfVerdict, PdfWorkBusy } from "../documents/pdf-work.server";
import type { KeptDocument } from "../documents/write-documents.server";
import type { Found } from "./line-problems.server";
import type { ImportedHolder } from "./policyholder-line.server";

const MB = 1024 * 1024;
const MOST_FILE_BYTES = 5 * MB;
/** The documents of one line are in memory together, because they are written together. */
const MOST_LINE_BYTES = 50 * MB;

/** A file listed in a line, not read yet. */
export interface DocumentFile extends Omit<KeptDocument, "content"> {
  /** Where the line lists it: `policies.0.documents.1.file`. */
  readonly where: string;
  /** The path without symbolic links. */
  readonly path: string;
  readonly bytes: number;
}

/** A file listed in a line, read and checked. */
export interface ReadDocument extends KeptDocument {
  readonly where: string;
}

/** A problem with a file. The message quotes nothing from the line. */
class FileProblem extends Error {
  constructor(where: string, expected: string) {
    super(`${where}: expected ${expected}`);
  }
}

/**
 * Finds the files of a line, without reading them.
 * @param folder the folder that their paths start from, without symbolic links. Files outside are refused, so that a
 *   list made elsewhere can't publish other files of this machine.
 */
export function findDocuments(
  folder: string,
  { policies }: ImportedHolder,
): Promise<Found<readonly DocumentFile[]>> {
  return withProblem(async () => {
    const files: DocumentFile[] = [];
    let total = 0;
    for (const [nth, { policyNo, documents }] of policies.entries()) {
      for (const [mth, document] of documents.entries()) {
        if (document.withdrawn) continue;
        const { kind, name, issuedOn } = document;
        const where = `policies.${nth}.documents.${mth}.file`;
        const found = await findFile(folder, where, document.file);
        const file = { kind, name, issuedOn, policyNo: policyNo.read, where, ...found };
        total += file.bytes;
        if (total > MOST_LINE_BYTES) throw new FileProblem(where, "at most 50 MB of documents in a line");
        files.push(file);
      }
    }
    return files;
  });
}

/** Checks that a document can be protected later. @throws PdfWorkBusy if that takes too long */
export type DocumentCheck = (document: KeptDocument) => Promise<PdfVerdict>;

/** Reads files, and checks that each can be protected later, when a customer downloads it. */
export function readDocuments(
  check: DocumentCheck,
  files: readonly DocumentFile[],
): Promise<Found<readonly ReadDocument[]>> {
  return withProblem(async () => {
    const documents: ReadDocument[] = [];
    for (const { policyNo, kind, name, issuedOn, where, path } of files) {
      const document = { policyNo, kind, name, issuedOn, where, content: await readWhole(path, where) };
      const expected = INSTEAD_OF[await check(document).catch(tooSlow)];
      if (expected !== undefined) throw new FileProblem(where, expected);
      documents.push(document);
    }
    return documents;
  });
}

function tooSlow(error: unknown): "too-slow" {
  if (error instanceof PdfWorkBusy) return "too-slow";
  throw error;
}

const INSTEAD_OF: Readonly<Record<PdfVerdict | "too-slow", string | undefined>> = {
  fine: undefined,
  "not-a-pdf": "a PDF that is not damaged",
  encrypted: "a PDF that is not encrypted",
  "too-slow": "a PDF that takes less time to check",
};

async function findFile(folder: string, where: string, file: string) {
  if (isAbsolute(file)) throw new FileProblem(where, `${INSIDE}, not one that begins with /`);
  // Before it is looked for, so that the answer tells nothing about what lies outside.
  if (leadsOut(folder, join(folder, file))) throw new FileProblem(where, `${INSIDE}: .. leads out of it`);
  const path = await realpath(join(folder, file)).catch((error: unknown) => {
    throw new FileProblem(where, insteadOf(error));
  });
  if (leadsOut(folder, path)) throw new FileProblem(where, `${INSIDE}: a symbolic link leads out of it`);
  const found = await stat(path).catch((error: unknown) => {
    throw new FileProblem(where, insteadOf(error));
  });
  // Reading a pipe could block forever.
  if (!found.isFile()) throw new FileProblem(where, "a file, not a folder or a pipe");
  if (found.size > MOST_FILE_BYTES) throw new FileProblem(where, TOO_LARGE);
  return { path, bytes: found.size };
}

function leadsOut(folder: string, path: string): boolean {
  const [first] = relative(folder, path).split(sep);
  return first === "..";
}

async function readWhole(path: string, where: string): Promise<Buffer> {
  const content = await readFile(path).catch((error: unknown) => {
    throw new FileProblem(where, insteadOf(error));
  });
  // The file may have grown since it was found.
  if (content.byteLength > MOST_FILE_BYTES) throw new FileProblem(where, TOO_LARGE);
  return content;
}

const INSIDE = "a path below the folder of the import file (with -, the working directory)";

/** The cause of a failure of the file system. */
function insteadOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "a file that exists";
  if (code === "EACCES" || code === "EPERM") return "a file that this user may read";
  return "a file that can be read";
}

const TOO_LARGE = "a PDF of at most 5 MB";

async function withProblem<Value>(work: () => Promise<Value>): Promise<Found<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof FileProblem) return { ok: false, problem: error.message };
    throw error;
  }
}
