import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { isoDayInPoland, systemClock } from "~/platform/time.server";
import type { Keyring } from "../../secrets/keyring.server";
import {
  ArchivesChanged,
  countInArchives,
  eraseFromArchives,
} from "../../services/audit/erase-events.server";
import type { AuditSource } from "../../audit-event.server";
import { scrubbing } from "../../store/scrub-sqlite.server";
import type { Reader, Store } from "../../store/store.server";
import { chooseCustomer, withCustomer, type CustomerChoice } from "../kit/choose-customer.server";
import { counted } from "../kit/counted.server";
import { EXIT, Nonsense, type ExitCode } from "../kit/exit-code.server";
import { auditSource, withOperatorAct, type OperatorAct } from "../kit/operator-act.server";
import { report, type Output } from "../kit/output.server";
import { withOwnDatabase } from "../kit/portal-database.server";
import { withProgress, type Say } from "../kit/progress.server";
import type { AddCommands } from "../kit/runs.server";
import { erase, planErasure, type Erasure } from "./erasure.server";
import { findPerson, type Person } from "./person.server";

/** `erase`. */
export const addErase: AddCommands = (program, runs) => {
  withOperatorAct(withCustomer(program.command("erase")))
    .description("erase a person's data (GDPR, article 17); without --yes, say what that would erase")
    .option("--yes", "erase it: there is no way back")
    .option("--json", "print the counts as JSON")
    .action(runs(erasePerson));
};

interface EraseOptions extends CustomerChoice, OperatorAct {
  readonly yes?: true;
  readonly json?: true;
}

async function erasePerson(output: Output, options: EraseOptions): Promise<ExitCode> {
  const source = auditSource(options);
  return withOwnDatabase(async (store, keyring) => {
    const chosen = await chooseCustomer(store.read, keyring, options);
    const person = await findPerson(store.read, keyring, chosen);
    if (options.yes) return eraseAndReport(output, options, { store, keyring, person, source });
    const plan = await withProgress(output.terminal, (say) => planEverywhere(store.read, person, say));
    report(output, options.json, { done: false, ...plan }, [
      ...inWords(plan, "Would erase"),
      "Nothing was changed: add --yes to erase it",
    ]);
    return EXIT.done;
  });
}

/** Plenty: only one month is archived per month. */
const MOST_TRIES = 5;

interface Erasing {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly person: Person;
  readonly source: AuditSource;
}

async function eraseAndReport(output: Output, { json }: EraseOptions, erasing: Erasing): Promise<ExitCode> {
  const { value: erasure, isScrubbed } = await withProgress(output.terminal, (say) =>
    scrubbing(erasing.store, () => eraseEverywhere(erasing, say)),
  );
  report(output, json, { done: true, isScrubbed, ...erasure }, [
    ...inWords(erasure, "Erased"),
    ...(isScrubbed ? [] : ["The database's log still holds it until the portal is restarted"]),
    "Backups from before still hold all of it: delete them after 35 days at the latest (docs/operations/retention.md)",
  ]);
  return EXIT.done;
}

async function planEverywhere(reader: Reader, person: Person, say: Say): Promise<Erasure> {
  const plan = await planErasure(reader, person, isoDayInPoland(systemClock()));
  const { folder } = auditSettings(environment());
  const archived = await countInArchives(reader, folder, { of: person, onArchive: saysMonth(say) });
  return { ...plan, tombstones: plan.tombstones + archived };
}

/** Erases the archives first: if that is interrupted, the next run still knows which events are the person's. */
async function eraseEverywhere({ store, keyring, person, source }: Erasing, say: Say): Promise<Erasure> {
  const folder = auditSettings(environment()).folder;
  const { customerId } = person;
  const onArchive = saysMonth(say);
  let archived = 0;
  for (let tries = 1; ; tries += 1) {
    const now = systemClock();
    try {
      const searched = await eraseFromArchives(store, keyring, folder, {
        of: person,
        source,
        now,
        onArchive,
      });
      archived += searched.events;
      say("erasing from the database");
      const erasing = { customerId, today: isoDayInPoland(now), now, source, searched: searched.files };
      const erasure = await store.write((tx) => erase(tx, keyring, erasing));
      if (!erasure) throw new Nonsense("no such customer");
      return { ...erasure, tombstones: erasure.tombstones + archived };
    } catch (error) {
      if (!(error instanceof ArchivesChanged) || tries === MOST_TRIES) throw error;
    }
  }
}

function saysMonth(say: Say): (month: string) => void {
  return (month) => {
    say(`searching the audit of ${month}`);
  };
}

function inWords({ erased, kept, tombstones }: Erasure, did: string): string[] {
  const inForce = Object.keys(kept).length > 0;
  return [
    `${did}: ${listed(erased)}`,
    ...(inForce ? [`Kept, since a policy is in force: ${listed(kept)}`] : []),
    `Kept without anything about the person: ${counted(tombstones, "event")} of the audit`,
  ];
}

function listed(rows: Readonly<Record<string, number>>): string {
  const each = Object.entries(rows).map(([table, count]) => `${count} in ${table}`);
  return each.length === 0 ? "nothing" : each.join(", ");
}
