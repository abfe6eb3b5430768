import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { syncPath, writeDurably } from "~/platform/files/durable-files.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { audit } from "~/backend/audit/audit-event.server";
import { readContent } from "~/backend/documents/document.server";
import type { Store } from "~/backend/store/store.server";
import { subjectOf } from "~/backend/support/account-state.server";
import { chooseCustomer, type CustomerChoice, withCustomer } from "./kit/choose-customer.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  jsonText,
  makeOutput,
  type Output,
  report,
  type Say,
  withProgress,
} from "./kit/command.server";
import { auditSource, type OperatorAct, withOperatorAct } from "./kit/operator-act.server";
import { withDatabase } from "~/backend/store/portal-database.server";
import { findPerson, type Person, rowsOf } from "~/backend/personal-data/person.server";
import { personalData } from "~/backend/personal-data/personal-data.server";

const DATA_FILE = "data.json";
const DOCUMENTS = "documents";

/** `export`. */
export const addExport: AddCommands = (program, runs) => {
  withOperatorAct(withCustomer(program.command("export")))
    .description("write all that is stored about a person to a new folder (GDPR, articles 15 and 20)")
    .requiredOption("--output <folder>", "the folder to make: data.json, and the documents as PDFs")
    .option("--json", "print what was written as JSON")
    .action(runs(["database", "keys"], exportPerson));
};

interface ExportOptions extends CustomerChoice, OperatorAct {
  readonly output: string;
  readonly json?: true;
}

async function exportPerson(output: Output, options: ExportOptions): Promise<ExitCode> {
  const source = auditSource(options);
  return withDatabase("portal", async (store, keyring) => {
    const chosen = await chooseCustomer(store.read, keyring, options, output.input);
    const person = await findPerson(store.read, keyring, chosen);
    let documents = 0;
    const write = async (draft: string, say: Say) => {
      mkdirSync(draft, { mode: 0o700 });
      const exporting = { store, keyring, person, say };
      documents = await writeDocuments(exporting, join(draft, DOCUMENTS));
      writeDurably(join(draft, DATA_FILE), await dataFile(exporting));
      syncPath(draft);
      // Audit it before anyone can see the folder, so that every export has an event.
      await store.write((tx) =>
        audit(tx, source, systemClock(), { event: "data-exported", ...subjectOf(person) }),
      );
    };
    await withProgress(output.terminal, (say) => makeOutput(options.output, (draft) => write(draft, say)));
    report(output, options.json, { folder: options.output, documents }, [
      "It holds whole identifiers: give it to that person alone, then delete it",
    ]);
    return EXIT.done;
  });
}

interface Exporting {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly person: Person;
  readonly say: Say;
}

async function dataFile({ store, keyring, person, say }: Exporting): Promise<string> {
  const settings = environment();
  const sources = {
    ...{ reader: store.read, keyring, limits: settings.limits },
    archives: auditSettings(settings).folder,
    onArchive: (month: string) => {
      say(`searching the audit of ${month}`);
    },
  };
  const data = {
    about:
      "All that the customer portal stores about one person. Times are UTC. Each part says what it is and how long it is kept.",
    exportedAt: new Date(systemClock()).toISOString(),
    ...(await personalData(sources, person)),
  };
  return `${jsonText(data, 2)}\n`;
}

/** Writes one document at a time, so that only one is in memory. */
async function writeDocuments({ store, keyring, person, say }: Exporting, folder: string): Promise<number> {
  const rows = await rowsOf(store.read, "documents", person);
  mkdirSync(folder, { mode: 0o700 });
  for (const [at, row] of rows.entries()) {
    say(`document ${at + 1} of ${rows.length}`);
    const id = String(row["id"]);
    const key = { keyVersion: Number(row["key_version"]), wrappedKey: String(row["wrapped_key"]) };
    const content = await readContent({ store, keyring }, { id, key, bytes: Number(row["bytes"]) });
    writeDurably(join(folder, `${id}.pdf`), content);
  }
  syncPath(folder);
  return rows.length;
}
