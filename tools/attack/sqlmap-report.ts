/** sqlmap's verdict on one address. */
export interface SqlmapReport {
  /** Each parameter that it could inject into, and how. */
  readonly injections: readonly string[];
  /** Parameters it has tested to the end without success. */
  readonly cleared: readonly string[];
}

/** The block sqlmap prints per parameter, up to the next one or to its rule of dashes. */
const INJECTION = /^Parameter: .+(?:\n(?!Parameter: |---).*)*/gm;
const CLEARED = /parameter '([^']+)' does not seem to be injectable/g;

/** Reads sqlmap's output. */
export function readSqlmap(output: string): SqlmapReport {
  const injections = Array.from(output.matchAll(INJECTION), ([block]) =>
    block
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join("; "),
  );
  // sqlmap says so before it prints its table, so also if it is stopped before that.
  const early = Array.from(output.matchAll(/parameter '([^']+)' is vulnerable/g), ([whole]) => whole);
  return {
    injections: injections.length > 0 ? injections : early,
    cleared: Array.from(output.matchAll(CLEARED), ([, name = ""]) => name),
  };
}
