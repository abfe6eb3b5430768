import type { Limits } from "~/platform/config/limits";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { archivesOf, eventsOf } from "~/backend/services/audit/archives.server";
import type { Reader } from "~/backend/store/store.server";
import { isOf } from "../audit/erase-events.server";
import { ACCOUNT_PARTS } from "./account-parts.server";
import { CUSTOMER_PARTS } from "./customer-parts.server";
import type { Person } from "./person.server";
import { type Column, type Part, type PersonTable, type Row, rowsOf, shown } from "./person-tables.server";

/** How each table about people is exported; the content of documents goes to files. */
export const PARTS: { readonly [Table in Exclude<PersonTable, "document_parts">]: Part<Table> } = {
  ...CUSTOMER_PARTS,
  ...ACCOUNT_PARTS,
};

/** A part of the export, as a person and a machine can read it. */
export interface ExportedPart {
  readonly about: string;
  readonly kept: string;
  /** Columns that are not here, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** Where a person's data is, and the limits that say how long it is kept. */
interface Sources {
  readonly reader: Reader;
  readonly keyring: Keyring;
  readonly limits: Limits;
  /** The folder with the archives of the audit. */
  readonly archives: string;
  /** Called with the month of each archive before it is read. */
  readonly onArchive: (month: string) => void;
}

/**
 * All that is stored about a person, decrypted (GDPR, articles 15 and 20).
 * @throws ArchiveProblem if an archive of the audit can't be read
 */
export async function personalData(
  { reader, keyring, limits, archives, onArchive }: Sources,
  person: Person,
): Promise<Readonly<Record<string, ExportedPart>>> {
  const parts: Record<string, ExportedPart> = {};
  for (const [name, part] of Object.entries(PARTS)) {
    const table = name as keyof typeof PARTS;
    const columns: Readonly<Record<string, Column>> = part.columns;
    const archived =
      table === "audit_events" ? await archivedEvents({ reader, archives, onArchive }, person) : [];
    const rows = [...archived, ...(await rowsOf(reader, table, person))];
    parts[part.as] = {
      about: part.about,
      kept: part.kept(limits),
      leftOut: Object.fromEntries(
        Object.entries(columns).flatMap(([column, how]) => ("leftOut" in how ? [[column, how.leftOut]] : [])),
      ),
      data: rows.map((row) => shown(keyring, table, columns, row)),
    };
  }
  return parts;
}

async function archivedEvents(
  { reader, archives, onArchive }: Pick<Sources, "reader" | "archives" | "onArchive">,
  person: Person,
): Promise<Row[]> {
  const events: Row[] = [];
  for (const archive of await archivesOf(reader)) {
    onArchive(archive.month);
    for await (const event of eventsOf(archives, archive)) if (isOf(event, person)) events.push({ ...event });
  }
  return events;
}
