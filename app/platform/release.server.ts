import product from "../../package.json" with { type: "json" };

/** The version of the portal (specification §1). */
export const VERSION = product.version;

/**
 * The build of that version: the first characters of its commit or, if the sources are no commit, `sources-` and the
 * first characters of their hash (scripts/prepare/build.mjs). In development and in tests there is no build, and
 * outside of Vite (in Playwright) no `env`.
 */
export const BUILD = (import.meta.env as ImportMetaEnv | undefined)?.VITE_BUILD ?? "development";

/** The day of the build's commit (UTC); undefined in development and in tests. */
export const BUILD_DAY = (import.meta.env as ImportMetaEnv | undefined)?.VITE_BUILD_DAY;

declare global {
  interface ImportMetaEnv {
    /** Given by `npm run build`, which puts it into the code. */
    readonly VITE_BUILD?: string;
    /** The same. */
    readonly VITE_BUILD_DAY?: string;
  }
}
