/** How a command ends: it did what was asked; it failed or found something wrong; it was called wrongly. */
export const EXIT = { done: 0, problem: 1, nonsense: 2 } as const;

/** An exit code of a command. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command was called wrongly, so nothing was changed. The message is for the operator, usually one line. */
export class Nonsense extends Error {
  override readonly name = "Nonsense";
}
