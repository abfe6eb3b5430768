import type { Sheet } from "./sheet";

/** What a document is good for: `not-a-pdf` includes those that are broken or cut off. */
export type PdfVerdict = "fine" | "not-a-pdf" | "encrypted";

/**
 * Work on PDFs, off the event loop. Passwords are of the letters that a document password may have, so that SASLprep
 * (RFC 4013) leaves them as they are. Each job throws `PdfWorkBusy` if it can't be done in time.
 */
export interface PdfWork {
  /** Makes a document from words. With a password it is encrypted. */
  make(sheet: Sheet, password?: string): Promise<Uint8Array>;
  /**
   * Encrypts a document: AES-256, revision 6 of ISO 32000-2, random owner password, all permissions. The bytes are handed
   * over, not copied: afterwards `pdf` may be empty. Throws if `check` would not find it fine.
   */
  protect(pdf: Uint8Array, password: string): Promise<Uint8Array>;
  /** Whether a document can be protected later. Tried by protecting it; `pdf` stays as it is. */
  check(pdf: Uint8Array): Promise<PdfVerdict>;
  /** Ends the workers; what they are doing is lost. */
  close(): Promise<void>;
}

/** So much is waiting already that this would be done too late. */
export class PdfWorkBusy extends Error {}
