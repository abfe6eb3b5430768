export type RejectionStatus = 400 | 403 | 404 | 405 | 411 | 413 | 414 | 415 | 431;

/** Why a request was rejected: the words of the log and of the metric. */
export const REJECTION_REASONS = [
  "target",
  /** The address has more characters, or more segments, than any of ours. */
  "too-long",
  "too-deep",
  "host",
  "method",
  "route-data",
  "cross-site",
  "prefetch",
  "undeclared-length",
  "too-large",
  "content-encoding",
  "media-type",
  /** Node's parser can't read its head. */
  "unreadable",
  /** The decision itself failed: a bug. */
  "fault",
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];
