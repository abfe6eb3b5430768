import type { Limits } from "~/platform/config/limits";
import { premiumOf } from "../customers/premiums.server";
import { type Keyring, open, type Cell } from "../secrets/keyring.server";
import { archivesOf, eventsOf } from "../audit/archives.server";
import { REGISTRY } from "../store/registry.server";
import { PERSON_TABLES } from "../store/registered.server";
import type { Form, Registered } from "../store/registry-entry.server";
import type { Reader } from "../store/store.server";
import { isOf } from "../audit/erase-events.server";
import { type Person, personRows, type Row } from "./person.server";

/** A part of the export, as a person and a machine can read it. */
export interface ExportedPart {
  readonly about: string;
  readonly kept: string;
  /** The columns that are left out, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** Where to read a person's data, and the limits that say how long it is kept. */
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
  for (const table of PERSON_TABLES) {
    const { as, about, kept, columns }: Registered = REGISTRY[table];
    if (as === null) continue;
    const archived =
      table === "audit_events" ? await archivedEvents({ reader, archives, onArchive }, person) : [];
    const rows = [...archived, ...(await personRows(reader, table, person))];
    const each = Object.entries(columns);
    parts[as] = {
      about,
      kept: kept(limits),
      leftOut: Object.fromEntries(
        each.flatMap(([column, how]) => ("leftOut" in how ? [[column, how.leftOut]] : [])),
      ),
      data: rows.map((row) =>
        Object.fromEntries(
          each.flatMap(([column, how]) => {
            const cell = { table, column, row: String(row["id"]) };
            return "leftOut" in how ? [] : [[how.as, READ[how.form](row[column], keyring, cell)]];
          }),
        ),
      ),
    };
  }
  return parts;
}

/** Reads a stored value for the export. @throws Error if a sealed one was changed, or its key is not in the keyring */
const READ: Readonly<Record<Form, (stored: unknown, keyring: Keyring, cell: Cell) => unknown>> = {
  plain: (stored) => stored ?? undefined,
  moment: (stored) => (typeof stored === "number" && stored > 0 ? new Date(stored).toISOString() : undefined),
  words: (stored) => String(stored).split("|").filter(isWord).join(", "),
  sealed: (stored, keyring, cell) =>
    typeof stored === "string" && stored !== "" ? open(keyring, cell, stored) : undefined,
  premium: (stored, keyring, { row }) =>
    typeof stored === "string" ? premiumOf(keyring, { id: row, premium_sealed: stored }) : undefined,
};

function isWord(piece: string): boolean {
  return /^[a-zA-Z]+(-[a-z]+)*$|^10-minutes$/.test(piece);
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
