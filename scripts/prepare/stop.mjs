/** A reason to stop that people can act on. Shown as one line, without a stack. */
export class Stop extends Error {}

/**
 * Runs the main function of a script. A {@link Stop} becomes one line and exit code 1; anything else is a bug of ours and
 * keeps its stack.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`\n✗ ${error.message}`);
    process.exit(1);
  }
}
