import type { Plugin } from "vite";

/** A piece of a library's source, and what takes its place in our build. */
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

/**
 * Makes cuts in the libraries of one build: the browser's scripts (`client`) or the portal (`ssr`). Fails the build if a
 * library doesn't have a piece exactly once, or if its file is no longer used.
 */
export function cutting(build: "client" | "ssr", cuts: readonly Cut[]) {
  const done = new Set<Cut>();
  return {
    name: `library-cuts-${build}`,
    apply: "build",
    applyToEnvironment: ({ name }) => name === build,
    transform(code, id) {
      const here = cuts.filter(({ file }) => id.endsWith(file));
      if (here.length === 0) return undefined;
      return { code: here.reduce(cutOut, code), map: null };

      function cutOut(from: string, cut: Cut): string {
        if (from.split(cut.code).length !== 2)
          throw new Error(`${cut.file} no longer has, once: ${cut.code}`);
        done.add(cut);
        return from.replace(cut.code, () => cut.instead);
      }
    },
    generateBundle() {
      const missing = cuts.filter((cut) => !done.has(cut));
      if (missing.length > 0)
        throw new Error(`The build no longer has ${missing.map(({ file }) => file).join(", ")}`);
    },
  } satisfies Plugin;
}
