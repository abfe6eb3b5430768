import { openPdfWork } from "~/backend/documents/pdf-workers.server";
import type { PdfWork } from "~/backend/documents/pdf-work.server";
import { LIMITS } from "~/platform/config/limits";
import { madeOnce } from "../../../made-once";

/** No document is late, however many wait and however slow the machine is. */
export const PATIENT_PDF = { PDF_MS: 24 * 60 * 60_000, PDF_WAITING: 10_000 };

const made = new Map<string, () => Promise<Uint8Array>>();
let opened: PdfWork | undefined;

/**
 * One thread for all backends of a test file. A document that was made before is not made again: every backend with a
 * new database needs the demo's documents.
 */
export const SHARED_PDF_WORK: PdfWork = {
  make(sheet, password, late) {
    if (password !== undefined) return work().make(sheet, password, late);
    const words = JSON.stringify(sheet);
    const pdf = made.get(words) ?? madeOnce(() => work().make(sheet));
    made.set(words, pdf);
    return pdf();
  },
  protect: (pdf, password, late) => work().protect(pdf, password, late),
  check: (pdf) => work().check(pdf),
  warm: () => undefined,
  // The thread outlives each backend, and ends with the process.
  close: () => Promise.resolve(),
};

function work(): PdfWork {
  opened ??= openPdfWork({ ...LIMITS, ...PATIENT_PDF });
  return opened;
}
