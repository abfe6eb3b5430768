import { cap, limit } from "./limit";

/** Documents: how many, and the work on them. */
export const DOCUMENTS = {
  DOCUMENTS_PER_HOUR: cap(
    60,
    "Documents that one account may download in an hour: encrypting one costs as much as several pages.",
  ),
  // Contract: customer area.
  DOCUMENT_PAUSE_MS: limit(
    10_000,
    "An attached backend may pause this long while it sends a document; then the download breaks off.",
  ),
  PDF_WAITING: limit(
    100,
    "Documents that may wait to be made, encrypted or checked while one is worked on. Beyond that the answer is 503.",
  ),
  PDF_MS: limit(
    60_000,
    "How long that may take for one document, the wait included. Then its work is stopped, and the answer is 503.",
  ),
  PDF_IDLE_MS: limit(
    60_000,
    "The thread for documents ends when it has had nothing to do for this long. The next document starts it again, which takes about half a second.",
  ),
};
