import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The output of a program that reads a PDF. */
export interface ToolResult {
  readonly code: number | null;
  readonly output: string;
}

type Words = (path: string) => readonly string[];

/** Writes a document to a new folder for the programs of qpdf and poppler-utils, and deletes the folder afterwards. */
function withFile<T>(pdf: Uint8Array, read: (path: string, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "portal-pdf-"));
  try {
    const path = join(folder, "document.pdf");
    writeFileSync(path, pdf);
    return read(path, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(program: string, words: readonly string[]): ToolResult {
  const { error, status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (error) throw new Error(`Install qpdf and poppler-utils to run this test: ${program} doesn't start.`);
  return { code: status, output: stdout + stderr };
}

/** A program's exit code and output for a document. */
export function inspect(
  program: "qpdf" | "pdfinfo" | "pdftotext",
  pdf: Uint8Array,
  words: Words,
): ToolResult {
  return withFile(pdf, (path) => run(program, words(path)));
}

/** The document as qpdf writes it with these options. */
export function rewrite(pdf: Uint8Array, options: readonly string[]): Uint8Array {
  return withFile(pdf, (path, folder) => {
    const result = join(folder, "rewritten.pdf");
    const { code, output } = run("qpdf", [...options, path, result]);
    if (code !== 0) throw new Error(output);
    return new Uint8Array(readFileSync(result));
  });
}

/** The words of a document, line by line. poppler knows passwords of up to 32 bytes. */
export function textOf(pdf: Uint8Array, password = ""): string {
  const { code, output } = inspect("pdftotext", pdf, (path) => ["-upw", password, "-layout", path, "-"]);
  if (code !== 0) throw new Error(output);
  return output;
}
