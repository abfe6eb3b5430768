/** Matches a coding in a list of encodings, unless `q=0` rules it out (RFC 9110 §12.5.3). */
const LISTED = {
  br: listed("br"),
  gzip: listed("gzip"),
};

function listed(coding: string): RegExp {
  return new RegExp(`(?:^|,)\\s*${coding}\\s*(?:$|,|;\\s*q=(?!0(?:\\.0*)?\\s*(?:$|,)))`, "i");
}

/** Whether an `Accept-Encoding` header takes a coding. */
export function acceptsEncoding(
  header: string | readonly string[] | undefined,
  coding: keyof typeof LISTED,
): boolean {
  return header !== undefined && LISTED[coding].test(header.toString());
}
