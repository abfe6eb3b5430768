import type { Row } from "../row";

/** The cost of customers on one kind of database. Times are ms of processor time, sizes are bytes with indexes. */
export interface DatabaseFigures {
  /** One argon2id alone, in a process that does nothing else. */
  readonly hashMs: number;
  /** The portal's time for `auth/login`, and for a whole sign-in with a code by API. */
  readonly loginMs: number;
  readonly apiSignInMs: number;
  /** The portal's time for a sign-in by pages, up to My Policies. */
  readonly codeSignInMs: number;
  readonly trustedSignInMs: number;
  /** The portal's time for the browsing that follows: a policy, My Data, signing out. */
  readonly browsingMs: number;
  /** The database server's time for sign-in and browsing together; 0 on SQLite, whose work is in the portal's time. */
  readonly serverCodeMs: number;
  readonly serverTrustedMs: number;
  /** Memory of a portal, in MB. */
  readonly restMb: number;
  readonly loadMb: number;
  /** A policyholder with one and a half policies; an account; a known browser, which is stored for 30 days. */
  readonly customerBytes: number;
  readonly accountBytes: number;
  readonly knownBrowserBytes: number;
  readonly trustedDeviceBytes: number;
  /** Sessions, codes, counts and queue, for each sign-in; they are deleted within a day. */
  readonly passingBytes: number;
  /** An event of the audit with its part of the seals. */
  readonly eventBytes: number;
}

/** Figures measured on PostgreSQL alone, for a visit with a code. */
export interface ServerFigures {
  readonly transactions: number;
  /** Write-ahead log. */
  readonly walBytes: number;
  /** Connections that the portal held after the visits. */
  readonly connections: number;
  /** The size of a `pg_dump --format=custom`, as a share of the database. */
  readonly backupShare: number;
}

/** Everything that the group `sizing` measures. */
export interface SizingFigures {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly machine: string;
  /** How many processes wanted a processor, over 15 minutes: above the number of processors, times are too long. */
  readonly load: number;
  readonly quick: boolean;
  /** Visits of each kind, and imported policyholders. */
  readonly visits: number;
  readonly imported: number;
  readonly postgres: DatabaseFigures;
  readonly sqlite: DatabaseFigures;
  readonly server: ServerFigures;
  /** Requests to the portal. */
  readonly requests: { readonly code: number; readonly trusted: number; readonly browsing: number };
  /** Text messages of a sign-in with a code, and of one after which the device is trusted. */
  readonly messages: { readonly code: number; readonly trusting: number };
  /** Events of the audit that a visit leaves. */
  readonly events: { readonly code: number; readonly trusted: number };
  /** An event in an archived month, packed. */
  readonly archivedEventBytes: number;
}

/** The words and the unit of each figure in the tables, in the order they show it. */
export const FIGURES: Readonly<
  Record<keyof DatabaseFigures, { readonly what: string; readonly unit: Row["unit"] }>
> = {
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
};

/** The figures as rows of the bench; the first one carries all of them. */
export function rowsOf(figures: SizingFigures): readonly Row[] {
  const rows = (["postgres", "sqlite"] as const).flatMap((kind) =>
    entriesOf(figures[kind]).map(([key, measured]): Row => ({
      name: `sizing: ${kind}: ${FIGURES[key].what}`,
      unit: FIGURES[key].unit,
      measured,
    })),
  );
  const all: Row = {
    name: "sizing: visits of each kind",
    unit: "",
    measured: figures.visits,
    detail: { sizing: figures },
  };
  const { server, messages, events } = figures;
  const others: readonly (readonly [string, number, Row["unit"]])[] = [
    ["write-ahead log of a visit with a code", server.walBytes, "B"],
    ["transactions of a visit with a code", server.transactions, ""],
    ["connections of a portal", server.connections, ""],
    ["pg_dump, as a share of the database", server.backupShare, ""],
    ["messages of a sign-in with a code", messages.code, ""],
    ["messages of one that trusts the device", messages.trusting, ""],
    ["events of a visit with a code", events.code, ""],
    ["events of a visit from a trusted device", events.trusted, ""],
    ["an event in an archived month", figures.archivedEventBytes, "B"],
  ];
  return [
    all,
    ...rows,
    ...others.map(([what, measured, unit]) => ({ name: `sizing: ${what}`, unit, measured })),
  ];
}

/** Each figure with its key. */
export function entriesOf(figures: DatabaseFigures): readonly (readonly [keyof DatabaseFigures, number])[] {
  return (Object.keys(FIGURES) as (keyof DatabaseFigures)[]).map((key) => [key, figures[key]]);
}
