import type { Sheet } from "./draw-sheet";

/** The result of checking a document. `not-a-pdf` includes broken and truncated ones. */
export type PdfVerdict = "fine" | "not-a-pdf" | "encrypted";

/**
 * Work on PDFs, off the event loop. Passwords contain only characters that a document password may have, which SASLprep
 * (RFC 4013) leaves unchanged. Each job throws `PdfWorkBusy` if it can't be done in time: before `late` is aborted, or
 * else within the usual time.
 */
export interface PdfWork {
  /** Makes a document from words, encrypted if there is a password. */
  make(sheet: Sheet, password?: string, late?: AbortSignal): Promise<Uint8Array>;
  /**
   * Encrypts a document: AES-256, revision 6 of ISO 32000-2, random owner password, all permissions. Moves the bytes
   * instead of copying them, so `pdf` may be empty afterwards. Throws if qpdf refuses it or has to repair it, which
   * never happens if `check` returned `fine`.
   */
  protect(pdf: Uint8Array, password: string, late?: AbortSignal): Promise<Uint8Array>;
  /** Finds out whether a document can be protected, by trying. Leaves `pdf` unchanged. */
  check(pdf: Uint8Array): Promise<PdfVerdict>;
  /** Starts the thread if there is none, so that no customer's document waits for its start. */
  warm(): void;
  /** Ends the workers; their current jobs are lost. */
  close(): Promise<void>;
}

/** There is too much other work for this job to finish in time. */
export class PdfWorkBusy extends Error {}
