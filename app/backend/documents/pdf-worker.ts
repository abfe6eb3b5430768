import { move } from "piscina";
import type { PdfVerdict } from "./pdf-work.server";
import { drawSheet } from "./draw-sheet";
import { encryptOurs, encryptTheirs, judge } from "./qpdf";
import type { Sheet } from "./sheet";

// The worker's jobs, run by name (pdf-workers.server.ts). Results are moved to the main thread, not copied.

/** What `make` needs. */
export interface MakeJob {
  readonly sheet: Sheet;
  readonly password: string | undefined;
}

/** What `protect` needs. */
export interface ProtectJob {
  readonly pdf: Uint8Array;
  readonly password: string;
}

/** Lays out a document, and encrypts it if there is a password. */
export async function make({ sheet, password }: MakeJob) {
  const pdf = await drawSheet(sheet);
  return move(password === undefined ? pdf : await encryptOurs(pdf, password));
}

/** Encrypts a document from elsewhere. */
export async function protect({ pdf, password }: ProtectJob) {
  return move(await encryptTheirs(pdf, password));
}

/** Whether `protect` will take a document. */
export function check(pdf: Uint8Array): Promise<PdfVerdict> {
  return judge(pdf);
}
