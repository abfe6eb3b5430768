/** Writes one line per problem to stderr and exits with code 1. */
export function failStartup(problems: readonly string[]): never {
  for (const problem of problems) warnAtStartup(problem);
  process.exit(1);
}

/** Writes one line to stderr, for an operator who is watching the start. */
export function warnAtStartup(problem: string): void {
  process.stderr.write(`portal: ${problem}\n`);
}
