import product from "../../package.json" with { type: "json" };

/** The version of the portal (specification §1). */
export const VERSION = product.version;

/**
 * Which build of that version this is: the first characters of its commit, or `sources-` and those of a hash of all that
 * it was built from, if that is no commit (scripts/prepare/build.mjs). In development and in tests there is no build, and outside Vite (in Playwright) no
 * `env`.
 */
export const BUILD = (import.meta.env as ImportMetaEnv | undefined)?.VITE_BUILD ?? "development";

declare global {
  interface ImportMetaEnv {
    /** Given by `npm run build`, which puts it into the code. */
    readonly VITE_BUILD?: string;
  }
}
