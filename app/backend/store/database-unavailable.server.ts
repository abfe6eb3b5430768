/**
 * The database can't be reached, or took too long. Nothing is known to be wrong with the request: it may come again,
 * and is answered 503. Whether a commit that was under way went through is not known.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}
