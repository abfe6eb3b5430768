import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { type Command, Option } from "@commander-js/extra-typings";
import {
  AUDIT_EVENTS,
  countEvents,
  newestArchivedMonth,
  PERIODS,
  showEvents,
  verifyAudit,
  withDatabase,
} from "~/backend/index.server";
import type { EventFilter, Events, EventsToShow, Keyring, Period, Store, StoredEvent } from "~/backend/types";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { pluralise } from "~/platform/pluralise";
import { jsonText, replaceControls } from "~/platform/terminal-text";
import { chooseCustomer, type CustomerChoice, withCustomer } from "./kit/choose-customer.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  type Output,
  reportInWords,
  withProgress,
} from "./kit/command.server";
import { auditSource, type OperatorAct, readCount, readMoment } from "./kit/operator-act.server";

/** The formats in which events are written. */
const FORMATS = ["text", "jsonl", "csv"] as const;
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
  const line = format === "jsonl" ? (event: StoredEvent) => jsonText(columnsOf(event)) : eventLine;
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
function eventLine(event: StoredEvent): string {
  const { account, subject, purpose, device, address, request, operator, reason, time, erased } =
    columnsOf(event);
  const facts = Object.entries({ account, subject, purpose, device, address, request, operator, reason })
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}=${/^[\w.:•-]+$/.test(String(value)) ? value : JSON.stringify(value)}`);
  const words = [time, event.event.padEnd(WIDEST_EVENT), ...(erased ? ["(erased)"] : facts)];
  return replaceControls(words.join("  ").trimEnd());
}

/**
 * Writes events as JSON lines, each before the next event is read, and calls back after each. A killed follower with a
 * cursor so resumes without a gap; at worst it repeats its last line (S153).
 */
async function writeOneByOne({ events, onWritten }: EventsToShow, out: Writable): Promise<void> {
  for await (const event of events) {
    await new Promise<void>((resolve, reject) => {
      out.write(`${jsonText(columnsOf(event))}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    onWritten(event);
  }
}

/** Verifies the audit. Exits with 1 if something is wrong with it. */
function verifyAndReport(output: Output, { json }: { readonly json?: true }): Promise<ExitCode> {
  return withDatabase("portal", async (store, keyring) => {
    const { folder } = auditSettings(environment());
    const verdict = await withProgress(output.terminal, (say) =>
      verifyAudit(store, keyring, folder, (events) => {
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

/** The options of the command, as typed. */
interface AuditOptions extends CustomerChoice, OperatorAct {
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

function showOrVerify(output: Output, options: AuditOptions): Promise<ExitCode> {
  const { since, until, last, format, count, cursor } = options;
  if (options.verify) return verifyAndReport(output, options);
  if (options.json) throw new UsageError("--json: only with --verify; otherwise use --format jsonl");
  if (until !== undefined && until <= (since ?? 0))
    throw new UsageError("--until: expected a time after --since");
  if (options.follow && until !== undefined)
    throw new UsageError("--follow: it has no end, so not with --until");
  if (cursor !== undefined && (!options.follow || format !== "jsonl" || last !== undefined))
    throw new UsageError("--cursor: only with --follow and --format jsonl, and without --last");
  return count ? countAndReport(output, options, count) : show(output, options);
}

/** Counts events. The result names no person, so it needs no operator and no reason. */
function countAndReport(output: Output, options: AuditOptions, period: Period): Promise<ExitCode> {
  const { event: events, since, until, format } = options;
  return withDatabase("portal", async (store, keyring) => {
    const { folder } = auditSettings(environment());
    const query = { filter: { events, since, until }, archives: options.archives === true };
    const counts = await countEvents({ store, keyring, folder }, query, period);
    if (format === "jsonl") for (const line of counts) output.print(jsonText(line));
    else await pipeline(Readable.from(counts), csv(), output.out, { end: false });
    await mentionArchives(output, store, options);
    return EXIT.done;
  });
}

function show(output: Output, options: AuditOptions): Promise<ExitCode> {
  const { format, cursor } = options;
  const source = auditSource(options);
  return withDatabase("portal", async (store, keyring) => {
    const { folder } = auditSettings(environment());
    const query = {
      filter: await readFilter(output, store, keyring, options),
      archives: options.archives === true,
      last: options.last ?? (format === "text" ? LAST_FOR_PEOPLE : undefined),
      follow: options.follow === true,
      cursor,
    };
    const shown = await showEvents({ store, keyring, folder }, source, query);
    if (cursor !== undefined) await writeOneByOne(shown, output.out);
    else {
      await writeEvents(shown.events, format, output.out);
      await mentionArchives(output, store, options);
    }
    return EXIT.done;
  });
}

async function readFilter(
  { input }: Output,
  store: Store,
  keyring: Keyring,
  options: AuditOptions,
): Promise<EventFilter> {
  const { event: events, requestId, since, until, username, policyNo, account, customer: id, pid } = options;
  const isPerson = [username, policyNo, account, id, pid].some((choice) => choice !== undefined);
  const customer = isPerson ? await chooseCustomer({ store, keyring }, options, input) : undefined;
  const ofPerson = customer && { accountId: customer.accountId, subjects: [customer.customerId] };
  return { ...ofPerson, events, requestId, since, until };
}

async function mentionArchives(
  { printError }: Output,
  store: Store,
  { archives }: AuditOptions,
): Promise<void> {
  const month = archives ? undefined : await newestArchivedMonth(store);
  if (month !== undefined)
    printError(`portal: older events are in archives (${month} and before): add --archives`);
}
