import type { Row } from "../row";

/** What is measured on each database: processor time in ms, sizes in bytes with indexes. */
const FIGURES = {
  hashMs: { what: "one argon2id alone", unit: "ms" },
  loginMs: { what: "`auth/login` by API", unit: "ms" },
  apiSignInMs: { what: "sign-in with a code by API", unit: "ms" },
  codeSignInMs: { what: "sign-in with a code by pages", unit: "ms" },
  trustedSignInMs: { what: "sign-in from a trusted device by pages", unit: "ms" },
  browsingMs: { what: "a policy, My Data and signing out", unit: "ms" },
  serverCodeMs: { what: "database server: visit with a code", unit: "ms" },
  serverTrustedMs: { what: "database server: visit from a trusted device", unit: "ms" },
  restMb: { what: "memory of a portal that has just started", unit: "MB" },
  loadMb: { what: "memory of a portal after the visits", unit: "MB" },
  customerBytes: { what: "a policyholder with 1.5 policies", unit: "B" },
  accountBytes: { what: "an account", unit: "B" },
  knownBrowserBytes: { what: "a known browser", unit: "B" },
  trustedDeviceBytes: { what: "a trusted device", unit: "B" },
  passingBytes: { what: "sessions, codes, counts and queue, a sign-in", unit: "B" },
  eventBytes: { what: "an event of the audit, seals included", unit: "B" },
} as const satisfies Readonly<Record<string, Pick<Row, "unit"> & { readonly what: string }>>;

/** The cost of customers on one kind of database. */
export type DatabaseFigures = Readonly<Record<keyof typeof FIGURES, number>>;

/** The figures of a database as rows of the bench. */
export function figureRows(database: string, figures: DatabaseFigures): readonly Row[] {
  return (Object.keys(FIGURES) as (keyof DatabaseFigures)[]).map((key) => ({
    name: `sizing: ${database}: ${FIGURES[key].what}`,
    unit: FIGURES[key].unit,
    measured: figures[key],
  }));
}
