/** A terminal that a person is watching. */
export interface Terminal {
  write(text: string): unknown;
}

/** A line on a terminal that says how far a command is. */
interface Progress {
  /** Removes the line, so that something else can be printed. It comes back by itself. */
  readonly clear: () => void;
  /** Removes the line for good. */
  readonly end: () => void;
}

const EVERY_MS = 1000;
/** Moves the cursor to the start of the line, and clears it. */
const EMPTIED = "\r\u001B[2K";

/** Reports in a few words how far the work is. */
export type Say = (soFar: string) => void;

/** Runs work, and shows what it reported last. */
export async function withProgress<Value>(
  terminal: Terminal | undefined,
  work: (say: Say) => Promise<Value>,
): Promise<Value> {
  let last = "";
  const progress = showProgress(terminal, () => last);
  try {
    return await work((soFar) => {
      last = soFar;
    });
  } finally {
    progress.end();
  }
}

/** Shows a line and rewrites it every second. Without a terminal it shows nothing, because it would fill up a log. */
export function showProgress(terminal: Terminal | undefined, text: () => string): Progress {
  if (!terminal) return { clear: () => undefined, end: () => undefined };
  const timer = setInterval(() => terminal.write(EMPTIED + text()), EVERY_MS);
  const clear = () => void terminal.write(EMPTIED);
  return {
    clear,
    end: () => {
      clearInterval(timer);
      clear();
    },
  };
}
