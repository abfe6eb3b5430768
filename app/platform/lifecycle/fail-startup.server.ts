/** Writes one line per problem to stderr and exits with code 1. */
export function failStartup(problems: readonly string[]): never {
  process.stderr.write(problems.map((problem) => `portal: ${problem}\n`).join(""));
  process.exit(1);
}
