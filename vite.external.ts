/**
 * Packages that the builds for Node leave outside. All others become part of the one file: Node would look for, read and
 * compile a thousand small ones, which took a fifth of a portal's start and most of a command's.
 */
export const EXTERNAL = [
  // Native code, which no bundle can hold.
  "@node-rs/argon2",
  "@photostructure/sqlite",
  // remix-serve has loaded them anyway.
  "@remix-run/node",
  "compression",
  // Finds its threads' files beside its own.
  "pino",
];
