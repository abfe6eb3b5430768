import type { SizingFigures } from "./figures";

/** How customers use a portal: the insurer knows better. Shares are between 0 and 1. */
export interface Use {
  readonly customers: number;
  /** Customers who have an account. */
  readonly registered: number;
  /** Visits of an account in a month. */
  readonly visits: number;
  /** Visits from a trusted device, so without a code. */
  readonly trusted: number;
  /** Sign-ins with a code after which the device is trusted. */
  readonly trusting: number;
  /** Accounts that sign in during the hour after a message to everybody. */
  readonly mailed: number;
  /** How much busier the busiest minute is than its hour. */
  readonly burst: number;
  /** The share of a processor that may be busy in that minute. */
  readonly busy: number;
  /** `LIMIT_HASH_PARALLEL` and `DATABASE_POOL` of each portal. */
  readonly hashParallel: number;
  readonly pool: number;
  /** `AUDIT_KEEP_MONTHS`. */
  readonly auditMonths: number;
  /** Dead rows and half-empty pages: PostgreSQL with autovacuum. */
  readonly bloat: number;
  /** The first import: documents of a policyholder, the bytes of one, and the time of its check (ms). */
  readonly documents: number;
  readonly documentBytes: number;
  readonly checkMs: number;
  /** Its time for a line without documents, with no portal there (ms). */
  readonly lineMs: number;
}

/** The assumptions of docs/operations/sizing.md. */
export const USUAL: Omit<Use, "customers"> = {
  registered: 0.4,
  visits: 2,
  trusted: 0.4,
  trusting: 0.5,
  mailed: 0.1,
  burst: 2,
  busy: 0.6,
  hashParallel: 2,
  pool: 10,
  auditMonths: 24,
  bloat: 1.4,
  documents: 1,
  documentBytes: 100 * 1024,
  checkMs: 100,
  lineMs: 2,
};

/** The resources that a number of customers needs. Rates are per second, sizes in bytes. */
export interface Need {
  readonly accounts: number;
  readonly visitsAMonth: number;
  /** Sign-ins in the busiest minute. */
  readonly peak: number;
  /** Processors of all portals and of the database server, at that peak, with the headroom. */
  readonly portalCores: number;
  readonly serverCores: number;
  readonly portals: number;
  /** Of all portals, in MB. */
  readonly portalMb: number;
  /** The portals' pools, the seals, an operator, and three that PostgreSQL keeps for its administrator. */
  readonly connections: number;
  readonly customerBytes: number;
  /** Accounts, known browsers, trusted devices, and rows deleted within a day. */
  readonly accountBytes: number;
  readonly auditBytesAMonth: number;
  readonly auditBytes: number;
  /** The whole database with bloat. */
  readonly databaseBytes: number;
  /** The data read and written within a month: it should fit into the server's memory. */
  readonly workingBytes: number;
  readonly archiveBytesAYear: number;
  readonly backupBytes: number;
  readonly walBytesADay: number;
  readonly messagesAMonth: number;
  /** Codes in the hour after the message. */
  readonly codesInTheHour: number;
  /** `LIMIT_SMS_KNOWN_TOTAL_PER_HOUR` that allows as many. */
  readonly smsCap: number;
  /** The first import's documents, encrypted. Not in the other sizes. */
  readonly documentBytes: number;
  /** The first import, with no portal there and beside portals. */
  readonly importSeconds: number;
  readonly importSecondsBeside: number;
}

const HOUR_SECONDS = 3600;
const MONTH_DAYS = 30;
const YEAR_MONTHS = 12;
/** One that fails, or is being updated, must not matter. */
const LEAST_PORTALS = 2;
const OTHER_CONNECTIONS = 5;
/** The default of `LIMIT_SMS_KNOWN_TOTAL_PER_HOUR`. */
const USUAL_SMS_CAP = 2000;
/** Beside portals an import pauses three times as long as it writes (BESIDE_PORTALS). Documents are checked meanwhile. */
const BESIDE = 4;

/** The sign-ins a second that one portal serves at most: its hashes run on threads, the rest on one. */
export function mostOfPortal(
  figures: SizingFigures,
  { trusted, hashParallel }: Pick<Use, "trusted" | "hashParallel">,
): { readonly cores: number; readonly perSecond: number } {
  const each = visitMs(figures, trusted);
  const { hashMs } = figures.postgres;
  const perSecond = Math.min((1000 * hashParallel) / hashMs, 1000 / (each - hashMs));
  return { perSecond, cores: (perSecond * each) / 1000 };
}

/** Calculates the need from measured figures, on PostgreSQL. */
export function needFor(figures: SizingFigures, use: Use): Need {
  const { postgres, server, messages } = figures;
  const accounts = use.customers * use.registered;
  const visitsAMonth = accounts * use.visits;
  const inTheHour = accounts * use.mailed;
  const peak = (inTheHour / HOUR_SECONDS) * use.burst;
  const withCode = 1 - use.trusted;
  const cores = (ms: number) => (peak * ms) / 1000 / use.busy;
  const serverMs = mix(use.trusted, postgres.serverTrustedMs, postgres.serverCodeMs);
  const portals = Math.max(
    LEAST_PORTALS,
    Math.ceil(peak / (mostOfPortal(figures, use).perSecond * use.busy)),
  );

  const events = mix(use.trusted, figures.events.trusted, figures.events.code);
  const auditBytesAMonth = visitsAMonth * events * postgres.eventBytes;
  const auditBytes = auditBytesAMonth * use.auditMonths;
  const customerBytes = use.customers * postgres.customerBytes;
  const codesAMonth = visitsAMonth * withCode;
  const accountBytes =
    accounts *
      (postgres.accountBytes + postgres.knownBrowserBytes + use.trusting * postgres.trustedDeviceBytes) +
    Math.max(visitsAMonth / MONTH_DAYS, inTheHour) * postgres.passingBytes;
  const people = (customerBytes + accountBytes) * use.bloat;
  const databaseBytes = people + auditBytes;
  const codesInTheHour = inTheHour * withCode;
  const writeMs = use.customers * use.lineMs;
  const checksMs = use.customers * use.documents * use.checkMs;
  return {
    accounts,
    visitsAMonth,
    peak,
    portalCores: cores(visitMs(figures, use.trusted)),
    serverCores: cores(serverMs),
    portals,
    portalMb: portals * postgres.loadMb,
    connections: portals * use.pool + OTHER_CONNECTIONS,
    customerBytes,
    accountBytes,
    auditBytesAMonth,
    auditBytes,
    databaseBytes,
    // The audit is written in one month, and read in that and the one before.
    workingBytes: people + 2 * auditBytesAMonth,
    archiveBytesAYear: visitsAMonth * YEAR_MONTHS * events * figures.archivedEventBytes,
    backupBytes: databaseBytes * server.backupShare,
    walBytesADay: (visitsAMonth / MONTH_DAYS) * server.walBytes,
    messagesAMonth: codesAMonth * mix(use.trusting, messages.trusting, messages.code),
    codesInTheHour,
    smsCap: Math.max(USUAL_SMS_CAP, codesInTheHour),
    documentBytes: use.customers * use.documents * use.documentBytes,
    importSeconds: Math.max(writeMs, checksMs) / 1000,
    importSecondsBeside: Math.max(writeMs * BESIDE, checksMs) / 1000,
  };
}

/** The portal's processor time of a visit, in ms: signing in and browsing. */
export function visitMs({ postgres }: Pick<SizingFigures, "postgres">, trusted: number): number {
  return mix(trusted, postgres.trustedSignInMs, postgres.codeSignInMs) + postgres.browsingMs;
}

/** The mean of two costs, where this share pays the first. */
function mix(share: number, one: number, other: number): number {
  return share * one + (1 - share) * other;
}
