import { markdownTable } from "../plot/markdown-table";
import { entriesOf, FIGURES, type SizingFigures } from "./figures";
import { mostOfPortal, needFor, USUAL, visitMs, type Need } from "./reckoning";

/** The numbers of customers that the page shows. */
const SIZES = [10_000, 300_000, 3_000_000];
/** Hashes run on libuv's threads, of which there are four. */
const PARALLEL = [1, 2, 4];
const HASH_MIB = 19;

/** The tables of docs/operations/sizing.md by the names of their places there. */
export function sizingTables(figures: SizingFigures): Readonly<Record<string, string>> {
  return {
    measured: measuredTables(figures),
    assumed: assumedTable(),
    portal: portalTable(figures),
    needed: neededTable(figures),
  };
}

function measuredTables(figures: SizingFigures): string {
  const { at, machine, load, quick, visits, imported, postgres, sqlite, server, requests, messages, events } =
    figures;
  const kind = quick ? "a quick run, so only a hint" : "a full run";
  const intro = `Measured on ${at.slice(0, 10)}: ${machine}, load ${few(load)}; ${kind}: ${count(visits)} visits of each kind, ${count(imported)} policyholders.`;
  const other = new Map(entriesOf(sqlite));
  const lines = entriesOf(postgres).map(([key, value]) => {
    const show = (measured: number) => `${few(measured)} ${FIGURES[key].unit}`;
    const isServers = key === "serverCodeMs" || key === "serverTrustedMs";
    return [FIGURES[key].what, show(value), isServers ? "" : show(other.get(key) ?? NaN)];
  });
  const rest = [
    ["requests of a sign-in with a code, from a trusted device, of browsing", requestsOf(requests)],
    ["text messages of a sign-in with a code", few(messages.code)],
    ["text messages, if the device is trusted then", few(messages.trusting)],
    ["events of the audit, a visit with a code", few(events.code)],
    ["events of the audit, a visit from a trusted device", few(events.trusted)],
    ["an event in an archived month, packed", bytes(figures.archivedEventBytes)],
    ["PostgreSQL: write-ahead log, a visit with a code", bytes(server.walBytes)],
    ["PostgreSQL: transactions, a visit with a code", few(server.transactions)],
    ["PostgreSQL: connections a portal held", few(server.connections)],
    ["PostgreSQL: `pg_dump --format=custom`, share of the database", few(server.backupShare)],
  ];
  return [
    intro,
    markdownTable(["", "PostgreSQL", "SQLite"], lines),
    markdownTable(["", "measured"], rest),
  ].join("\n\n");
}

function requestsOf({ code, trusted, browsing }: SizingFigures["requests"]): string {
  return [code, trusted, browsing].map(few).join(", ");
}

function assumedTable(): string {
  const share = (value: number) => `${few(value * 100)} %`;
  return markdownTable(
    ["", "assumed"],
    [
      ["`registered`: customers who have an account", share(USUAL.registered)],
      ["`visits`: visits of an account in a month", few(USUAL.visits)],
      ["`trusted`: visits from a trusted device, without a code", share(USUAL.trusted)],
      ["`trusting`: sign-ins with a code that trust the device", share(USUAL.trusting)],
      ["`mailed`: accounts that sign in within the hour after a mailing", share(USUAL.mailed)],
      ["`burst`: the busiest minute, compared with its hour", `${few(USUAL.burst)} ×`],
      ["`busy`: how busy processors may be in that minute", share(USUAL.busy)],
      ["`bloat`: dead rows and half-empty pages, except in the audit", `${few(USUAL.bloat)} ×`],
      ["`LIMIT_HASH_PARALLEL` of a portal", few(USUAL.hashParallel)],
      ["`DATABASE_POOL` of a portal", few(USUAL.pool)],
      ["`AUDIT_KEEP_MONTHS`", few(USUAL.auditMonths)],
      ["`documents`: documents of a policyholder in the first import", few(USUAL.documents)],
      ["`documentBytes`: a document", bytes(USUAL.documentBytes)],
      ["`checkMs`: the check of a new document", `${few(USUAL.checkMs)} ms`],
      ["`lineMs`: a line without documents, with no portal there", `${few(USUAL.lineMs)} ms`],
    ],
  );
}

function portalTable(figures: SizingFigures): string {
  const { hashMs } = figures.postgres;
  const each = visitMs(figures, USUAL.trusted);
  const perCore = [
    ["portal's time of a visit", `${few(each)} ms`],
    ["of it, the hash", `${few((100 * hashMs) / each)} %`],
    ["visits a second and core of the portals", few(1000 / each)],
    ["sign-ins with a code a second and core", few(1000 / figures.postgres.codeSignInMs)],
    ["sign-ins from a trusted device a second and core", few(1000 / figures.postgres.trustedSignInMs)],
  ];
  const portals = PARALLEL.map((hashParallel) => {
    const { perSecond, cores } = mostOfPortal(figures, { ...USUAL, hashParallel });
    return [few(hashParallel), few(perSecond), few(cores), `${hashParallel * HASH_MIB} MiB`];
  });
  const heads = [
    "`LIMIT_HASH_PARALLEL`",
    "visits a second at most",
    "cores kept busy",
    "memory of the hashes",
  ];
  return [markdownTable(["", ""], perCore), markdownTable(heads, portals)].join("\n\n");
}

const NEEDED: readonly (readonly [string, (need: Need) => string, string])[] = [
  ["accounts", ({ accounts }) => count(accounts), "customers × registered"],
  ["visits a month", ({ visitsAMonth }) => count(visitsAMonth), "accounts × visits"],
  ["sign-ins a second, busiest minute", ({ peak }) => few(peak), "accounts × mailed ÷ 3600 × burst"],
  ["cores for portals", ({ portalCores }) => few(portalCores), "sign-ins a second × portal's time ÷ busy"],
  ["cores for PostgreSQL", ({ serverCores }) => few(serverCores), "sign-ins a second × server's time ÷ busy"],
  ["portals", ({ portals }) => count(portals), "sign-ins a second ÷ (a portal's most × busy), at least 2"],
  ["memory of the portals", ({ portalMb }) => bytes(portalMb * MB), "portals × after the visits"],
  ["connections", ({ connections }) => count(connections), "portals × `DATABASE_POOL` + 5"],
  ["customers and policies", ({ customerBytes }) => bytes(customerBytes), "customers × a policyholder"],
  ["accounts and what hangs on them", ({ accountBytes }) => bytes(accountBytes), "see below"],
  ["audit, a month", ({ auditBytesAMonth }) => bytes(auditBytesAMonth), "visits × events × an event"],
  ["audit, all months kept", ({ auditBytes }) => bytes(auditBytes), "a month × `AUDIT_KEEP_MONTHS`"],
  ["database", ({ databaseBytes }) => bytes(databaseBytes), "(customers + accounts) × bloat + audit"],
  [
    "of it, used within a month",
    ({ workingBytes }) => bytes(workingBytes),
    "the same with two months of audit",
  ],
  [
    "archived audit, a year",
    ({ archiveBytesAYear }) => bytes(archiveBytesAYear),
    "visits × 12 × events × packed",
  ],
  ["a backup", ({ backupBytes }) => bytes(backupBytes), "database × share"],
  ["write-ahead log, a day", ({ walBytesADay }) => bytes(walBytesADay), "visits ÷ 30 × log of a visit"],
  [
    "text messages, a month",
    ({ messagesAMonth }) => count(messagesAMonth),
    "visits × (1 − trusted) × messages",
  ],
  [
    "codes in the hour after a mailing",
    ({ codesInTheHour }) => count(codesInTheHour),
    "accounts × mailed × (1 − trusted)",
  ],
  [
    "`LIMIT_SMS_KNOWN_TOTAL_PER_HOUR`",
    ({ smsCap }) => count(smsCap),
    "codes in that hour, at least the default",
  ],
  [
    "documents of the first import",
    ({ documentBytes }) => bytes(documentBytes),
    "customers × documents × a document",
  ],
  [
    "first import, with no portal there",
    ({ importSeconds }) => duration(importSeconds),
    "lines, or the check of documents: the longer",
  ],
  [
    "first import, beside portals",
    ({ importSecondsBeside }) => duration(importSecondsBeside),
    "the same, with four times as long for lines",
  ],
];

function neededTable(figures: SizingFigures): string {
  const needs = SIZES.map((customers) => needFor(figures, { ...USUAL, customers }));
  const lines = NEEDED.map(([what, show, how]) => [what, ...needs.map(show), how]);
  return markdownTable(["customers", ...SIZES.map(count), "reckoned as"], lines);
}

/** In the largest unit of which there are two. */
function duration(seconds: number): string {
  if (seconds < 120) return `${few(seconds)} s`;
  const minutes = seconds / 60;
  if (minutes < 120) return `${few(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${few(hours)} h` : `${few(hours / 24)} days`;
}

const MB = 1024 * 1024;
const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** Bytes in the largest unit that leaves a whole number. */
function bytes(value: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(value) / 10)));
  return `${few(value / 1024 ** step)} ${UNITS[step] ?? ""}`;
}

/** To two or three digits: the figures are no better than that. */
function few(value: number): string {
  if (value >= 100) return count(value);
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
