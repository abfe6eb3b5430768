import { Option, type Command } from "@commander-js/extra-typings";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { audit, AUDIT_EVENTS } from "../../audit-event.server";
import type { Keyring } from "../../secrets/keyring.server";
import { archivesOf } from "../../services/audit/archives.server";
import {
  archivedEvents,
  eventsAfter,
  lastEvents,
  lastOf,
  type EventFilter,
} from "../../services/audit/find-events.server";
import type { Store } from "../../store/store.server";
import { chooseCustomer, withCustomer, type CustomerChoice } from "../kit/choose-customer.server";
import { EXIT, Nonsense, type ExitCode } from "../kit/exit-code.server";
import { readCount, readMoment } from "../kit/moment.server";
import { auditSource, type OperatorAct } from "../kit/operator-act.server";
import type { Output } from "../kit/output.server";
import { withPortalDatabase } from "../kit/portal-database.server";
import type { AddCommands } from "../kit/runs.server";
import { FORMATS, writeEvents, type Format } from "./event-lines.server";
import { follow } from "./follow.server";
import { verifyAndReport } from "./verify.server";

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
  readonly verify?: true;
  readonly json?: true;
}

/** People read the end of a list; programs take the whole list. */
const LAST_FOR_PEOPLE = 50;

/** The options that choose events. Not allowed with `--verify`, which reads all. */
const FILTERS = ["event", "requestId", "since", "until", "username", "policyNo", "account", "pid"];

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
    .addOption(
      new Option(
        "--verify",
        "instead: make sure that no sealed event was changed, removed, doubled or moved",
      ).conflicts([...FILTERS, "last", "archives", "follow"]),
    )
    .option("--json", "with --verify: print the result as JSON")
    .option("--operator <name>", "who reads, for the audit itself")
    .option("--reason <text>", "why, such as the number of a case")
    .action(runs(showOrVerify));
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
  if (asked.json) throw new Nonsense("--json: only with --verify; otherwise use --format jsonl");
  if (asked.until !== undefined && asked.until <= (asked.since ?? 0))
    throw new Nonsense("--until: expected a time after --since");
  if (asked.follow && asked.until !== undefined)
    throw new Nonsense("--follow: it has no end, so not with --until");
  const source = auditSource(asked);
  return withPortalDatabase(async (store, keyring) => {
    const filter = await readFilter(store, keyring, asked);
    const { accountId, subject } = filter;
    const whose = accountId === undefined ? { subject } : { accountId };
    await store.write((tx) => audit(tx, source, systemClock(), { event: "audit-shown", ...whose }));
    await show(output, store, filter, asked);
    return EXIT.done;
  });
}

async function readFilter(store: Store, keyring: Keyring, asked: Asked): Promise<EventFilter> {
  const { event, requestId, since, until, username, policyNo, account, pid } = asked;
  const isPerson = [username, policyNo, account, pid].some((choice) => choice !== undefined);
  const customer = isPerson ? await chooseCustomer(store.read, keyring, asked) : undefined;
  return {
    ...(customer && { accountId: customer.accountId, subject: customer.customerId }),
    ...{ events: event, requestId, since, until },
  };
}

async function show(output: Output, store: Store, filter: EventFilter, asked: Asked): Promise<void> {
  const { format, archives } = asked;
  const most = asked.last ?? (format === "text" ? LAST_FOR_PEOPLE : undefined);
  const { folder } = auditSettings(environment());
  async function* all() {
    if (archives) yield* archivedEvents(store.read, folder, filter);
    yield* eventsAfter(store.read, filter);
  }
  const few = async () => (archives ? lastOf(all(), most ?? 0) : lastEvents(store.read, filter, most ?? 0));
  const read = async () => (most === undefined ? all() : few());
  const events = asked.follow ? follow(store, filter, read) : await read();
  await writeEvents(events, format, output.out);
  const inFiles = (await archivesOf(store.read)).map(({ month }) => month);
  if (!archives && inFiles.length > 0)
    output.printError(`portal: older events are in archives (${inFiles.at(-1)} and before): add --archives`);
}
