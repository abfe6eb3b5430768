/**
 * The database can't be reached, took too long or takes no writes. The request may be fine, so it is answered 503 and
 * can be retried. A commit that was under way may or may not have gone through.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  /** Whether it may still answer reads: it is read-only, or its disk is full. */
  readonly takesNoWrites: boolean;

  constructor(message: string, { takesNoWrites = false } = {}) {
    super(message);
    this.takesNoWrites = takesNoWrites;
  }
}
