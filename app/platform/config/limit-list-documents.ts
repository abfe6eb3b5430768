import { cap, limit } from "./limit";

/** Documents: how many, and the work on them. */
export const DOCUMENTS = {
  DOCUMENTS_PER_HOUR: cap(
    60,
    "Documents that one account may download in an hour: encrypting one costs as much as several pages.",
  ),
  // S128.
  DOCUMENTS_AT_ONCE: limit(
    3,
    "Downloads of one account that a process may have unfinished; a further one is told to wait.",
  ),
  DOCUMENT_PLACES: limit(
    4,
    "Downloads that a process makes and sends at once; further ones wait. Each holds its document in memory until the last piece is handed over.",
  ),
  DOCUMENT_BYTES_PER_SECOND: limit(
    32 * 1024,
    "A download breaks off if its customer takes less than this, on average.",
  ),
  DOCUMENT_BEHIND_MS: limit(20_000, "How far a customer may fall behind that rate, by a pause, say."),
  // Contract: customer area.
  DOCUMENT_PAUSE_MS: limit(
    10_000,
    "An attached backend may pause this long while it sends a document; then the download breaks off.",
  ),
  PDF_WAITING: limit(
    100,
    "Downloads that may wait for a place, and documents that may wait for the thread that makes, encrypts and checks them. Beyond that the answer is 503.",
  ),
  // Contract: customer area; below nginx's 10 s.
  PDF_MS: limit(
    8000,
    "How long that may take for one document, from the arrival of the request, the wait included. Then its work is stopped, and the answer is 503.",
  ),
  PDF_IDLE_MS: limit(
    60_000,
    "The thread for documents ends when it has had nothing to do for this long. The next document starts it again, which takes about half a second.",
  ),
};
