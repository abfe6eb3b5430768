import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { syncPath, writeDurably } from "~/platform/files/durable-files.server";
import { jsonText } from "~/platform/terminal-text";
import { systemClock } from "~/platform/time.server";
import { audit, type StaffSource } from "../audit/audit-event.server";
import { readContent } from "../documents/document.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Store } from "../store/store.server";
import { type CustomerIds, subjectOf } from "../support/account-state.server";
import { findPerson, type Person, personRows } from "./person.server";
import { personalData } from "./personal-data.server";

const DATA_FILE = "data.json";
const DOCUMENTS = "documents";

interface ExportDependencies {
  readonly store: Store;
  readonly keyring: Keyring;
}

/** A person to export, and the folder to write. */
interface PersonExport {
  readonly customer: CustomerIds;
  /** Made by the export. Callers show it to others only afterwards. */
  readonly folder: string;
  /** Gets the progress in a few words. */
  readonly onProgress: (soFar: string) => void;
}

/**
 * Writes everything that is stored about a person to a new folder (GDPR, articles 15 and 20): `data.json`, and the
 * documents as PDFs. Audits the export once the folder is on the disk.
 * @returns the number of documents
 * @throws ArchiveProblem if an archive of the audit can't be read
 */
export async function exportPerson(
  { store, keyring }: ExportDependencies,
  source: StaffSource,
  { customer, folder, onProgress }: PersonExport,
): Promise<number> {
  const person = await findPerson(store.read, keyring, customer);
  mkdirSync(folder, { mode: 0o700 });
  const exporting = { store, keyring, person, onProgress };
  const documents = await writeDocuments(exporting, join(folder, DOCUMENTS));
  writeDurably(join(folder, DATA_FILE), await dataFile(exporting));
  syncPath(folder);
  // Before anyone can see the folder, so that every export has an event.
  await store.write((tx) =>
    audit(tx, source, systemClock(), { event: "data-exported", ...subjectOf(person) }),
  );
  return documents;
}

interface Exporting extends ExportDependencies, Pick<PersonExport, "onProgress"> {
  readonly person: Person;
}

async function dataFile({ store, keyring, person, onProgress }: Exporting): Promise<string> {
  const settings = environment();
  const sources = {
    reader: store.read,
    keyring,
    limits: settings.limits,
    archives: auditSettings(settings).folder,
    onArchive: (month: string) => {
      onProgress(`searching the audit of ${month}`);
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
async function writeDocuments(
  { store, keyring, person, onProgress }: Exporting,
  folder: string,
): Promise<number> {
  const rows = await personRows(store.read, "documents", person);
  mkdirSync(folder, { mode: 0o700 });
  for (const [at, row] of rows.entries()) {
    onProgress(`document ${at + 1} of ${rows.length}`);
    const id = String(row["id"]);
    const key = { keyVersion: Number(row["key_version"]), wrappedKey: String(row["wrapped_key"]) };
    const content = await readContent({ store, keyring }, { id, key, bytes: Number(row["bytes"]) });
    writeDurably(join(folder, `${id}.pdf`), content);
  }
  syncPath(folder);
  return rows.length;
}
