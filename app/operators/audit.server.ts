import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { type Command, Option } from "@commander-js/extra-typings";
import type { StoredEvent } from "~/backend/audit/event-hash.server";
import {
  archivedEvents,
  type EventFilter,
  eventsAfter,
  lastEvents,
  lastOf,
} from "~/backend/audit/find-events.server";
import { noteSuccess } from "~/backend/jobs/job-successes.server";
import type { Store } from "~/backend/store/store.server";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { MINUTE, systemClock } from "~/platform/time.server";
import { audit, AUDIT_EVENTS } from "~/backend/audit/audit-event.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { archivesOf } from "~/backend/audit/archives.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  type Output,
  reportInWords,
  withProgress,
} from "./kit/command.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { pluralise } from "~/platform/pluralise";
import { jsonText, replaceControls } from "~/platform/terminal-text";
import { withDatabase } from "~/backend/store/portal-database.server";
import { chooseCustomer, type CustomerChoice, withCustomer } from "./kit/choose-customer.server";
import { auditSource, type OperatorAct, readCount, readMoment } from "./kit/operator-act.server";
import { countEvents, type Period, PERIODS } from "~/backend/audit/count-events.server";
import { BEGINNING, Cursor, type Events, eventsSince, follow } from "~/backend/audit/follow.server";
import { verifyAudit } from "~/backend/audit/verify-audit.server";

/** The formats in which events are written. */
export const FORMATS = ["text", "jsonl", "csv"] as const;
export type Format = (typeof FORMATS)[number];

/** The columns for other programs, in order. */
function columnsOf(event: StoredEvent) {
  return {
    time: new Date(event.happened_at).toISOString(),
    event: event.event,
    account: event.account_id,
    subject: event.subject,
    purpose: event.purpose,
    device: event.device_name,
    address: event.address,
    request: event.request_id,
    operator: event.operator,
    reason: event.reason,
    erased: event.erased_hash !== null,
    seq: event.seq,
    id: event.id,
  };
}

/** Writes events as fast as the reader takes them. */
export async function writeEvents(events: Events, format: Format, out: Writable): Promise<void> {
  // Keep standard output open: more may follow.
  const open = { end: false };
  if (format === "csv") {
    await pipeline(Readable.from(mapped(events, columnsOf)), csv(), out, open);
    return;
  }
  const line = format === "jsonl" ? (event: StoredEvent) => jsonText(columnsOf(event)) : inWords;
  await pipeline(Readable.from(mapped(events, (event) => `${line(event)}\n`)), out, open);
}

/** A spreadsheet must not mistake text for a formula, nor a terminal for a command. */
function csv() {
  // Excel reads a file without a byte order mark as Windows-1250, and Polish letters are lost (F41).
  const forExcel = { bom: true, header: true, escape_formulas: true };
  return stringify({ ...forExcel, cast: { boolean: String, string: replaceControls } });
}

async function* mapped<To>(events: Events, map: (event: StoredEvent) => To): AsyncGenerator<To> {
  for await (const event of events) yield map(event);
}

const WIDEST_EVENT = "sign-in-refused-by-state".length;

/** An event on one line, for people. */
function inWords(event: StoredEvent): string {
  const { account, subject, purpose, device, address, request, operator, reason, time, erased } =
    columnsOf(event);
  const facts = Object.entries({ account, subject, purpose, device, address, request, operator, reason })
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}=${/^[\w.:•-]+$/.test(String(value)) ? value : JSON.stringify(value)}`);
  const words = [time, event.event.padEnd(WIDEST_EVENT), ...(erased ? ["(erased)"] : facts)];
  return replaceControls(words.join("  ").trimEnd());
}

/**
 * Writes events as JSON lines, and moves the cursor after each. So a killed follower goes on without a gap; at worst it
 * repeats its last line (S153).
 */
async function writeWithCursor(events: Events, cursor: Cursor, out: Writable): Promise<void> {
  for await (const event of events) {
    await new Promise<void>((resolve, reject) => {
      out.write(`${jsonText(columnsOf(event))}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    cursor.moveTo(event);
  }
}

/** Verifies the audit. Exits with 1 if something is wrong with it. */
export function verifyAndReport(output: Output, { json }: { readonly json?: true }): Promise<ExitCode> {
  return withDatabase("portal", async (store, keyring) => {
    const { folder } = auditSettings(environment());
    const verdict = await withProgress(output.terminal, (say) =>
      verifyAudit(store.read, keyring, folder, (events) => {
        say(`${events.toLocaleString("en-US")} events`);
      }),
    );
    const { events, seals, unsealed, lastSeal, findings } = verdict;
    const newest = lastSeal ? `, the newest is ${lastSeal.no} ${lastSeal.chain_hash}` : "";
    reportInWords(output, json, verdict, [
      `${pluralise(events, "event")} and ${pluralise(seals, "seal")}${newest}; ${unsealed} not sealed yet`,
      ...findings,
      findings.length === 0
        ? "Nothing was changed"
        : `Something was changed: ${pluralise(findings.length, "finding")}`,
    ]);
    return findings.length === 0 ? EXIT.done : EXIT.problem;
  });
}

/** Notes that the follower has passed everything on, for portals to show, but not each time. */
function notedEveryMinute(store: Store): () => Promise<void> {
  let notedAt = -Infinity;
  return async () => {
    const now = systemClock();
    if (now - notedAt < MINUTE) return;
    await store.write((tx) => noteSuccess(tx, "follow", now));
    notedAt = now;
  };
}

/** The options of the command, as typed. */
interface Asked extends CustomerChoice, OperatorAct {
  readonly event?: readonly string[];
  readonly requestId?: string;
  readonly since?: number;
  readonly until?: number;
  readonly last?: number;
  readonly format: Format;
  readonly archives?: true;
  readonly follow?: true;
  readonly cursor?: string;
  readonly count?: Period;
  readonly verify?: true;
  readonly json?: true;
}

/** People read the end of a list; programs take the whole list. */
const LAST_FOR_PEOPLE = 50;

/** The options that choose events of one person or request. */
const OF_ONE = ["requestId", "username", "policyNo", "account", "customer", "pid"];

/** `audit`: who did what, and when. */
export const addAudit: AddCommands = (program, runs) => {
  withFilters(withCustomer(program.command("audit")))
    .description("show, export, follow or verify the record of what happened")
    .option("--last <count>", `only the last ones (default: ${LAST_FOR_PEOPLE} as text, else all)`, readCount)
    .addOption(
      new Option("--format <format>", "how events are written").choices(FORMATS).default("text" as const),
    )
    .option("--archives", "read archived months, too")
    .option("--follow", "go on with new events until interrupted")
    .option(
      "--cursor <file>",
      "with --follow: go on after the event that this file names, and keep it up to date",
    )
    .addOption(
      new Option(
        "--count <period>",
        "instead: how many events of each kind there were, and about how many people, as CSV or JSON lines",
      )
        .choices(PERIODS)
        .conflicts([...OF_ONE, "last", "follow", "cursor"]),
    )
    .addOption(
      new Option(
        "--verify",
        "instead: make sure that no sealed event was changed, removed, doubled or moved",
      ).conflicts([...OF_ONE, "event", "since", "until", "last", "archives", "follow", "cursor", "count"]),
    )
    .option("--json", "with --verify: print the result as JSON")
    .option("--operator <name>", "who reads, for the audit itself")
    .option("--reason <text>", "why, such as the number of a case")
    .action(runs(["database", "keys"], showOrVerify));
};

function withFilters<Args extends unknown[], Options extends Record<string, unknown>>(
  command: Command<Args, Options>,
) {
  return command
    .addOption(new Option("--event <names...>", "only these events").choices(AUDIT_EVENTS))
    .option("--request-id <id>", "only what this request caused")
    .option("--since <time>", "not before this day or moment (2026-11-21, 2026-11-21T08:30Z)", readMoment)
    .option("--until <time>", "only before this day or moment", readMoment);
}

function showOrVerify(output: Output, asked: Asked): Promise<ExitCode> {
  if (asked.verify) return verifyAndReport(output, asked);
  if (asked.json) throw new UsageError("--json: only with --verify; otherwise use --format jsonl");
  if (asked.until !== undefined && asked.until <= (asked.since ?? 0))
    throw new UsageError("--until: expected a time after --since");
  if (asked.follow && asked.until !== undefined)
    throw new UsageError("--follow: it has no end, so not with --until");
  if (asked.cursor !== undefined && (!asked.follow || asked.format !== "jsonl" || asked.last !== undefined))
    throw new UsageError("--cursor: only with --follow and --format jsonl, and without --last");
  if (asked.count) return count(output, asked, asked.count);
  const source = auditSource(asked);
  return withDatabase("portal", async (store, keyring) => {
    const filter = await readFilter(output, store, keyring, asked);
    const cursor = asked.cursor === undefined ? undefined : await Cursor.open(store.read, asked.cursor);
    const { accountId, subjects } = filter;
    const whose = accountId === undefined ? { subject: subjects?.[0] } : { accountId };
    await store.write((tx) => audit(tx, source, systemClock(), { event: "audit-shown", ...whose }));
    if (cursor) await followWithCursor(output, store, filter, { asked, cursor, keyring });
    else await show(output, store, filter, asked);
    return EXIT.done;
  });
}

/** Counts events. The result names no person, so it needs no operator and no reason. */
function count(output: Output, asked: Asked, period: Period): Promise<ExitCode> {
  const { event: events, since, until, archives, format } = asked;
  return withDatabase("portal", async (store, keyring) => {
    const { folder } = auditSettings(environment());
    const filter = { events, since, until };
    const found = archives
      ? eventsSince(store.read, { keyring, folder }, filter, BEGINNING)
      : eventsAfter(store.read, filter);
    const counts = await countEvents(found, period);
    if (format === "jsonl") for (const line of counts) output.print(jsonText(line));
    else await pipeline(Readable.from(counts), csv(), output.out, { end: false });
    await tellOfArchives(output, store, asked);
    return EXIT.done;
  });
}

async function readFilter(
  { input }: Output,
  store: Store,
  keyring: Keyring,
  asked: Asked,
): Promise<EventFilter> {
  const { event, requestId, since, until, username, policyNo, account, customer: id, pid } = asked;
  const isPerson = [username, policyNo, account, id, pid].some((choice) => choice !== undefined);
  const customer = isPerson ? await chooseCustomer({ store, keyring }, asked, input) : undefined;
  return {
    ...(customer && { accountId: customer.accountId, subjects: [customer.customerId] }),
    ...{ events: event, requestId, since, until },
  };
}

async function show(output: Output, store: Store, filter: EventFilter, asked: Asked): Promise<void> {
  const { format, archives } = asked;
  const most = asked.last ?? (format === "text" ? LAST_FOR_PEOPLE : undefined);
  const { folder } = auditSettings(environment());
  async function* all(some: EventFilter) {
    if (archives) yield* archivedEvents(store.read, folder, some);
    yield* eventsAfter(store.read, some);
  }
  const few = async (some: EventFilter) =>
    archives ? lastOf(all(some), most ?? 0) : lastEvents(store.read, some, most ?? 0);
  const read = async (some: EventFilter) => (most === undefined ? all(some) : few(some));
  const events = asked.follow ? follow(store.read, filter, read) : await read(filter);
  await writeEvents(events, format, output.out);
  await tellOfArchives(output, store, asked);
}

async function tellOfArchives({ printError }: Output, store: Store, { archives }: Asked): Promise<void> {
  const inFiles = (await archivesOf(store.read)).map(({ month }) => month);
  if (!archives && inFiles.length > 0)
    printError(`portal: older events are in archives (${inFiles.at(-1)} and before): add --archives`);
}

async function followWithCursor(
  output: Output,
  store: Store,
  filter: EventFilter,
  { asked, cursor, keyring }: { readonly asked: Asked; readonly cursor: Cursor; readonly keyring: Keyring },
): Promise<void> {
  const { read: db } = store;
  const { folder } = auditSettings(environment());
  const position = cursor.position ?? (asked.archives && BEGINNING);
  const read = (some: EventFilter) =>
    Promise.resolve(position ? eventsSince(db, { keyring, folder }, some, position) : eventsAfter(db, some));
  await writeWithCursor(follow(db, filter, read, notedEveryMinute(store)), cursor, output.out);
}
