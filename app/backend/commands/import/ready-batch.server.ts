import { readPid } from "~/contract/identifiers";
import type { PdfVerdict } from "../../documents/pdf-work.server";
import type { Keyring } from "../../secrets/keyring.server";
import {
  findCustomers,
  newCustomer,
  type CustomerRow,
  type SoughtCustomer,
} from "../../services/accounts/write-customer.server";
import { soughtPid } from "../../services/accounts/customers.server";
import { isKept, type KeptDocument } from "../../services/documents/write-documents.server";
import type { Reader } from "../../store/store.server";
import { readDocuments, type Found } from "./document-files.server";
import type { Line } from "./policyholder-batches.server";
import type { Policyholder } from "./policyholder-line.server";

/** A line that is ready to be written, with its files read, or what is wrong with it. */
export interface ReadyLine {
  readonly number: number;
  readonly content: Found<Candidate>;
}

/** A policyholder from a valid line. */
export interface Candidate extends SoughtCustomer {
  readonly holder: Policyholder;
  readonly documents: readonly KeptDocument[];
  /** The row of a new policyholder; undefined if they are known already. */
  readonly fresh: CustomerRow | undefined;
}

/** What it takes to get lines ready. */
export interface Preparation {
  readonly reader: Reader;
  readonly keyring: Keyring;
  /** Whether a PDF can be protected later. @throws PdfWorkBusy if that takes too long to find out */
  readonly check: (content: Buffer) => Promise<PdfVerdict>;
  /** Called for each line. It may throw, to stop. */
  readonly onLine: () => void;
}

/**
 * Reads the files of all lines, and encrypts new policyholders. Done outside the transaction, because others wait for
 * that.
 */
export async function readyBatch(
  preparation: Preparation,
  lines: readonly Line[],
): Promise<readonly ReadyLine[]> {
  const sought: { number: number; content: Found<Omit<Candidate, "fresh">> }[] = [];
  for (const line of lines) {
    preparation.onLine();
    sought.push({ number: line.number, content: await soughtIn(preparation, line) });
  }
  const { reader, keyring } = preparation;
  const known = await findCustomers(
    reader,
    sought.flatMap(({ content }) => (content.ok ? [content.value] : [])),
  );
  return sought.map(({ number, content }) => {
    if (!content.ok) return { number, content };
    const { value } = content;
    const fresh = known.has(value) ? undefined : newCustomer(keyring, value.holder);
    return { number, content: { ok: true, value: { ...value, fresh } } };
  });
}

async function soughtIn(
  { reader, keyring, check }: Preparation,
  { reading, files }: Line,
): Promise<Found<Omit<Candidate, "fresh">>> {
  if (!reading.ok) return reading;
  const { holder } = reading;
  // A kept document was checked when it was imported.
  const checkNew = async (document: KeptDocument) =>
    (await isKept(reader, keyring, document)) ? "fine" : check(document.content);
  const documents = await readDocuments(checkNew, files);
  if (!documents.ok) return documents;
  const pid = soughtPid(keyring, readPid(holder.pid));
  return { ok: true, value: { kind: holder.kind, pid, holder, documents: documents.value } };
}
