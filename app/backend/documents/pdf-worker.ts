import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { move } from "piscina";
import type { PdfVerdict } from "./pdf-work.server";
import { collectGarbage } from "./collect-garbage";
import { drawSheet, type Sheet } from "./draw-sheet";
import { encryptOurs, encryptTheirs, checkPdf } from "./qpdf";

// The worker's jobs, run by name (pdf-workers.server.ts). Results are moved to the main thread, not copied.

giveWay();

/** A document can wait for the processor, but a sign-in should not. Only Linux has priorities for threads. */
function giveWay(): void {
  if (process.platform !== "linux") return;
  const [thread = ""] = readlinkSync("/proc/thread-self").split("/").slice(-1);
  setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
}

/** The message for `make`. */
export interface MakeJob {
  readonly sheet: Sheet;
  readonly password: string | undefined;
}

/** The message for `protect`. */
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
  const encrypted = await encryptTheirs(pdf, password);
  // The qpdf that was used has left some 30 MB behind.
  setImmediate(collectGarbage, "all");
  return move(encrypted);
}

/** Does nothing: a thread that runs a job has already loaded its modules. */
export function warm(): void {
  return undefined;
}

/** Checks whether `protect` will accept a document. */
export function check(pdf: Uint8Array): Promise<PdfVerdict> {
  return checkPdf(pdf);
}
