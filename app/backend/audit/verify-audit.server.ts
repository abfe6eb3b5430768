import type { Keyring } from "../secrets/keyring.server";
import type { Reader, Store } from "../store/store.server";
import { isOwnErasure, type StoredEvent } from "./event-hash.server";
import { EventsDigest, isIntact, lastSeal, type Seal } from "./seal-events.server";
import {
  type Archive,
  ArchiveProblem,
  archiveProblem,
  archivesOf,
  isOwnArchive,
  wholeAudit,
} from "./archives.server";

const PAGE = 1000;

interface Checking {
  /** Seals whose events begin at a number up to this one are not compared with their events. */
  readonly comparedAfter: number;
  readonly find: (finding: string) => void;
}

/** Compares the seals with the events, which must be given in order. */
class SealChecker {
  readonly #db: Reader;
  readonly #keyring: Keyring;
  readonly #checking: Checking;
  #seals: AsyncGenerator<Seal> | undefined;
  #current: Seal | undefined;
  #before: Seal | undefined;
  #digest = new EventsDigest();
  #checked = 0;
  #unsealed = 0;

  constructor(db: Reader, keyring: Keyring, checking: Checking) {
    this.#db = db;
    this.#keyring = keyring;
    this.#checking = checking;
  }

  /** Reads the first seal. Seals added from now on are left out. @returns the number of the last sealed event */
  async begin(): Promise<number> {
    const last = await lastSeal(this.#db);
    this.#seals = sealsOf(this.#db, last?.no ?? 0);
    this.#current = await this.#nextSeal();
    return last?.through_seq ?? -1;
  }

  /** Takes the next event. */
  async take(event: StoredEvent): Promise<void> {
    while (this.#current && event.seq > this.#current.through_seq) await this.#close(this.#current);
    if (this.#current) this.#digest.add(event);
    else this.#unsealed += 1;
  }

  /** Checks the seals that are left after the last event. */
  async end(): Promise<void> {
    while (this.#current) await this.#close(this.#current);
  }

  counts() {
    const last = this.#before && { no: this.#before.no, chain_hash: this.#before.chain_hash };
    return { seals: this.#checked, unsealed: this.#unsealed, lastSeal: last };
  }

  async #close(seal: Seal): Promise<void> {
    const { find, comparedAfter } = this.#checking;
    const name = `seal ${seal.no} of ${new Date(seal.sealed_at).toISOString()}`;
    if (!isIntact(this.#keyring, this.#before, seal))
      find(`${name}: it was changed, or the one before it was changed or removed`);
    const startsAfter = this.#before?.through_seq ?? -1;
    if (startsAfter >= comparedAfter) this.#compare(name, seal);
    this.#checked += 1;
    this.#before = seal;
    this.#digest = new EventsDigest();
    this.#current = await this.#nextSeal();
  }

  #compare(name: string, { events, events_hash, through_seq }: Seal): void {
    const found = this.#digest.events;
    const which = `events ${(this.#before?.through_seq ?? -1) + 1} to ${through_seq}`;
    if (found !== events) this.#checking.find(`${name}: ${events} sealed, ${found} found (${which})`);
    else if (this.#digest.hash !== events_hash)
      this.#checking.find(`${name}: an event was changed, or their order was (${which})`);
  }

  async #nextSeal(): Promise<Seal | undefined> {
    const next = await this.#seals?.next();
    return next === undefined || next.done === true ? undefined : next.value;
  }
}

async function* sealsOf(db: Reader, through: number): AsyncGenerator<Seal> {
  for (let after = 0; ;) {
    const page = await db
      .selectFrom("audit_seals")
      .selectAll()
      .where("no", ">", after)
      .where("no", "<=", through)
      .orderBy("no")
      .limit(PAGE)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.no;
  }
}

/** More findings would tell nothing new. */
const MOST_FINDINGS = 100;
/** Their ids are in memory together. There can be more only before the first seal. */
const MOST_UNSEALED = 1_000_000;

/** The result of verifying the audit. */
export interface Verdict {
  readonly events: number;
  readonly seals: number;
  /** Events that no seal vouches for yet. */
  readonly unsealed: number;
  /** The newest seal. Compare it with the log or an earlier run: the end of the audit may have been cut off. */
  readonly lastSeal: Pick<Seal, "no" | "chain_hash"> | undefined;
  /** One sentence each; empty if nothing is wrong. */
  readonly findings: readonly string[];
}

/**
 * Checks that no event, seal or archive was changed, removed, added or moved since it was sealed (S95). Events erased
 * with a person's data count as unchanged. Portals may keep running; if months are archived meanwhile, it starts over.
 * @param folder the folder with the archives
 * @param onEvent called with the number of events read so far
 */
export async function verifyAudit(
  { read: db }: Store,
  keyring: Keyring,
  folder: string,
  onEvent: (events: number) => void = () => undefined,
): Promise<Verdict> {
  for (;;) {
    const archives = await archivesOf(db);
    const verdict = await verifyWith(db, keyring, { folder, archives, onEvent });
    // An event that moves to a file meanwhile looks removed, so start over. This ends: there are only so many months.
    if (JSON.stringify(await archivesOf(db)) === JSON.stringify(archives)) return verdict;
  }
}

interface Reading {
  readonly folder: string;
  readonly archives: readonly Archive[];
  readonly onEvent: (events: number) => void;
}

async function verifyWith(
  db: Reader,
  keyring: Keyring,
  { folder, archives, onEvent }: Reading,
): Promise<Verdict> {
  const findings: string[] = [];
  const find = (finding: string) => {
    if (findings.length < MOST_FINDINGS) findings.push(finding);
  };
  const inArchives = Math.max(-1, ...archives.map(({ through_seq }) => through_seq));
  const areWhole = await checkArchives(keyring, folder, archives, find);
  // Without the archives, seals of their events can't be compared, but can still be checked for being ours.
  const checker = new SealChecker(db, keyring, { comparedAfter: areWhole ? -1 : inArchives, find });
  const sealed = await checker.begin();
  if (sealed < inArchives) find("seals are missing: events were sealed before they were archived");
  const unsealed = await unsealedIds(db, sealed);
  let events = 0;
  try {
    for await (const { event, isFromFile } of wholeAudit(db, keyring, folder, areWhole ? archives : [])) {
      events += 1;
      onEvent(events);
      // Files vouch for the erased events in them.
      if (event.erased_hash !== null && !isFromFile && !isOwnErasure(keyring, event))
        find(`event ${event.id}: erased, but not by the portal`);
      if ((unsealed.get(event.id) ?? 0) + (event.seq <= sealed ? 1 : 0) > 1)
        find(`event ${event.id}: stored more than once`);
      await checker.take(event);
    }
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error;
    find(error.message);
  }
  await checker.end();
  return { events, findings, ...checker.counts() };
}

/** Reports what is wrong with archives. @returns whether all can be read */
async function checkArchives(
  keyring: Keyring,
  folder: string,
  archives: readonly Archive[],
  find: (finding: string) => void,
): Promise<boolean> {
  let areWhole = true;
  for (const archive of archives) {
    if (!isOwnArchive(keyring, archive))
      find(`archive ${archive.month}: its row in the database was changed`);
    const problem = await archiveProblem(folder, { file: archive.file, sha256: archive.file_sha256 });
    if (problem === undefined) continue;
    find(`archive ${archive.month}: ${problem}`);
    areWhole = false;
  }
  return areWhole;
}

/** How often each unsealed event is stored. A duplicate among sealed events shows anyway: it breaks the seal. */
async function unsealedIds(db: Reader, sealed: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("audit_events")
    .select("id")
    .where("seq", ">", sealed)
    .orderBy("seq")
    .limit(MOST_UNSEALED)
    .execute();
  const counts = new Map<string, number>();
  for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
