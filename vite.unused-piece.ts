/** A piece of a library's source that never runs in our pages, and what takes its place. */
export interface Cut {
  /** The end of the file's path. */
  readonly file: string;
  readonly code: string;
  readonly instead: string;
}

/** Ways to cut pieces out of one file, which is named by the end of its path. */
export function cutsIn(file: string) {
  return {
    /** Takes the piece out. */
    gone: (code: string): Cut => ({ file, code, instead: "" }),
    /** The statement that begins with the piece never runs: the minifier drops it, and what only it uses. */
    never: (code: string): Cut => ({ file, code, instead: `if (false) ${code}` }),
    replaced: (code: string, instead: string): Cut => ({ file, code, instead }),
  };
}
