/** A reason to stop that people can act on. Shown as one line, without a stack. */
export class Stop extends Error {
  exitCode = 1;
}

/** A command that was typed wrong: nothing was done. */
export class WrongUsage extends Stop {
  exitCode = 2;
}

/**
 * Runs the main function of a script. A {@link Stop} becomes one line and its exit code; anything else is a bug of ours and
 * keeps its stack.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`\n✗ ${error.message}`);
    process.exit(error.exitCode);
  }
}
