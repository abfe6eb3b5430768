/** Ends the process with exit code 1 and a line for each problem on stderr: nothing useful could be done with them. */
export function failStartup(problems: readonly string[]): never {
  process.stderr.write(problems.map((problem) => `portal: ${problem}\n`).join(""));
  process.exit(1);
}
