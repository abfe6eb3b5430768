/** Words that only come from inside a program: a stack trace, a library, a database. */
export const INSIDES: readonly RegExp[] = [
  /\n\s+at /,
  /node_modules/,
  /(?:Type|Syntax|Reference|Range|Zod)Error/,
  /Unexpected Server Error/,
  /\bSELECT |sqlite|kysely/,
  /\/(?:work|tmp|root|app)\//,
];
