import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import type { Selectable } from "kysely";
import { PURPOSES } from "~/contract/purposes";
import { DAY } from "~/platform/time.server";
import { linesIn, type UnreadableLine } from "~/platform/files/lines-in.server";
import { reasonOf } from "~/platform/lifecycle/operator-errors.server";
import { keyedHash, type Keyring, sameHash } from "../secrets/keyring.server";
import { type Reader, takeAdvisoryLock, type Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import { eventHash, isOwnErasure, type StoredEvent } from "./event-hash.server";
import { byPosition, eventsInOrder } from "./events-in-order.server";

/** Suffix of a file until it is complete. */
export const DRAFT = ".draft";
const NAME_BYTES = 4;
const NAME = /^audit-\d{4}-\d{2}-[0-9a-f]{8}\.jsonl\.gz$/;

const archived: z.ZodType<StoredEvent> = z.strictObject({
  seq: z.number(),
  id: z.string(),
  happened_at: z.number(),
  event: z.string(),
  account_id: z.string().nullable(),
  subject: z.string().nullable(),
  purpose: z.enum(PURPOSES).nullable(),
  address: z.string(),
  request_id: z.string(),
  device_name: z.string(),
  operator: z.string().nullable(),
  reason: z.string().nullable(),
  erased_hash: z.string().nullable(),
});

/** An archive's file: its name, its counts and its hash. */
interface ArchiveFile {
  readonly file: string;
  readonly events: number;
  /** How many of them were erased. */
  readonly erased: number;
  /** The highest event number. */
  readonly throughSeq: number;
  /** SHA-256 of the file, in base64url. */
  readonly sha256: string;
}

/** Whether this is the name of an archive file. */
export function isArchiveName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Writes a month's events to a new file that only its owner can read: JSON lines, gzipped. The file appears complete or
 * not at all, and survives a crash of the machine. Its name is random, so no two processes write the same file.
 */
export async function writeArchive(
  folder: string,
  month: string,
  events: AsyncIterable<StoredEvent>,
): Promise<ArchiveFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = `audit-${month}-${randomBytes(NAME_BYTES).toString("hex")}.jsonl.gz`;
  const draft = join(folder, `${file}${DRAFT}`);
  const counts = { events: 0, erased: 0, throughSeq: -1 };
  async function* lines() {
    for await (const event of events) {
      counts.events += 1;
      if (event.erased_hash !== null) counts.erased += 1;
      counts.throughSeq = Math.max(counts.throughSeq, event.seq);
      yield `${JSON.stringify(event)}\n`;
    }
  }
  const { stream, sha256 } = hashing();
  try {
    await pipeline(Readable.from(lines()), createGzip(), stream, createWriteStream(draft, { mode: 0o600 }));
    await sync(draft);
    await rename(draft, join(folder, file));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await sync(folder);
  return { file, ...counts, sha256: sha256() };
}

/**
 * Removes leftovers of an interrupted run: files and drafts older than a day that no archive names.
 * @param now ms
 */
export async function removeStrays(folder: string, named: readonly string[], now: number): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  const isOwn = (file: string) => isArchiveName(file.endsWith(DRAFT) ? file.slice(0, -DRAFT.length) : file);
  for (const file of files.filter((each) => isOwn(each) && !named.includes(each))) {
    const found = await stat(join(folder, file)).catch(() => undefined);
    if (found && found.mtimeMs < now - DAY) await rm(join(folder, file), { force: true });
  }
}

/** Removes an archive file that is no longer needed. */
export async function removeArchive(folder: string, file: string): Promise<void> {
  await rm(join(folder, file), { force: true });
  await sync(folder);
}

/** The problem with an archive; undefined if it is the file that was written. */
export async function archiveProblem(
  folder: string,
  { file, sha256: expected }: Pick<ArchiveFile, "file" | "sha256">,
): Promise<string | undefined> {
  const path = join(folder, file);
  const digest = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  } catch {
    return `${path} cannot be read`;
  }
  return digest.digest("base64url") === expected ? undefined : `${path} was changed`;
}

/** An archive can't be read, or isn't the file that was written. */
export class ArchiveProblem extends Error {
  override readonly name = "ArchiveProblem";
}

/** Yields an archive's events, then checks that it is the file that was written. @throws ArchiveProblem */
export async function* readArchive(
  folder: string,
  { file, sha256: expected }: Pick<ArchiveFile, "file" | "sha256">,
): AsyncGenerator<StoredEvent> {
  const path = join(folder, file);
  const { stream, sha256 } = hashing();
  const unpacked = createGunzip();
  // A failure surfaces in the loop below, which reads the same stream.
  pipeline(createReadStream(path), stream, unpacked).catch(() => undefined);
  try {
    for await (const line of linesIn(unpacked)) yield readLine(line);
  } catch (error) {
    throw new ArchiveProblem(`${path} cannot be read: ${reasonOf(error)}`);
  }
  if (sha256() !== expected) throw new ArchiveProblem(`${path} was changed`);
}

function readLine(line: string | UnreadableLine): StoredEvent {
  if (typeof line !== "string") throw new Error(`a line is ${line.problem}`);
  const read = archived.safeParse(JSON.parse(line));
  if (!read.success) throw new Error("a line is no event");
  return read.data;
}

function hashing(): { readonly stream: Transform; readonly sha256: () => string } {
  const digest = createHash("sha256");
  const stream = new PassThrough();
  stream.on("data", (chunk: Buffer) => digest.update(chunk));
  return { stream, sha256: () => digest.digest("base64url") };
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The database's row about a month that was moved to a file. */
export type Archive = Selectable<Tables["audit_archives"]>;

/** The archives, oldest first. */
export function archivesOf(db: Reader): Promise<Archive[]> {
  return db.selectFrom("audit_archives").selectAll().orderBy("month").execute();
}

/** Keeps other transactions from adding an archive or erasing events until this one ends. */
export function lockArchives(tx: Tx): Promise<void> {
  return takeAdvisoryLock(tx, "audit-archives");
}

/** The keyed hash of an archive, under the current key. */
export function archiveMac(keyring: Keyring, archive: Omit<Archive, "key_version" | "archive_mac">) {
  return { key_version: keyring.current, archive_mac: macUnder(keyring, keyring.current, archive) };
}

/** Whether the portal wrote this row, and it is unchanged since. */
export function isOwnArchive(keyring: Keyring, archive: Archive): boolean {
  return (
    keyring.versions.includes(archive.key_version) &&
    sameHash(archive.archive_mac, macUnder(keyring, archive.key_version, archive))
  );
}

function macUnder(
  keyring: Keyring,
  version: number,
  { month, file, events, through_seq, file_sha256 }: Omit<Archive, "key_version" | "archive_mac">,
): string {
  const parts = ["archive", month, file, String(events), String(through_seq), file_sha256];
  return keyedHash(keyring, "audit", version, parts);
}

/** Reads an archive. @throws ArchiveProblem */
export function eventsOf(folder: string, { file, file_sha256 }: Archive): AsyncGenerator<StoredEvent> {
  return readArchive(folder, { file, sha256: file_sha256 });
}

/** An event, and whether it was read from a file, which vouches for it. */
interface KeptEvent {
  readonly event: StoredEvent;
  readonly isFromFile: boolean;
}

/**
 * All events in order, from the archives and the database. Interrupted archiving leaves events in both places: a true
 * copy is skipped, another event with the same number is not.
 * @throws ArchiveProblem
 */
export async function* wholeAudit(
  db: Reader,
  keyring: Keyring,
  folder: string,
  archives: readonly Archive[],
): AsyncGenerator<KeptEvent> {
  const sources = [
    ...archives.map((archive) => kept(eventsOf(folder, archive), true)),
    kept(eventsInOrder(db, { after: -1, through: Number.MAX_SAFE_INTEGER }), false),
  ];
  let last: KeptEvent | undefined;
  for await (const next of merged(sources)) {
    if (!last || !isCopy(keyring, last, next)) yield next;
    last = next;
  }
}

function isCopy(keyring: Keyring, { event: archived, isFromFile }: KeptEvent, { event }: KeptEvent): boolean {
  return (
    isFromFile &&
    byPosition(archived, event) === 0 &&
    eventHash(archived) === eventHash(event) &&
    (event.erased_hash === null || isOwnErasure(keyring, event))
  );
}

async function* kept(events: AsyncIterable<StoredEvent>, isFromFile: boolean): AsyncGenerator<KeptEvent> {
  for await (const event of events) yield { event, isFromFile };
}

/** Merges sources, each in order already. At the same position, the archive's event comes first. */
async function* merged(sources: readonly AsyncGenerator<KeptEvent>[]): AsyncGenerator<KeptEvent> {
  const heads: { next: KeptEvent; readonly source: AsyncGenerator<KeptEvent> }[] = [];
  for (const source of sources) {
    const first = await source.next();
    if (first.done !== true) heads.push({ next: first.value, source });
  }
  while (heads.length > 0) {
    const least = heads.reduce((one, other) =>
      byPosition(one.next.event, other.next.event) <= 0 ? one : other,
    );
    yield least.next;
    const next = await least.source.next();
    if (next.done === true) heads.splice(heads.indexOf(least), 1);
    else least.next = next.value;
  }
}
