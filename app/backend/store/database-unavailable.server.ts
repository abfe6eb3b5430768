/**
 * The database can't be reached or took too long. The request itself may be fine: it is answered 503 and can be retried.
 * A commit that was under way may or may not have gone through.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}
