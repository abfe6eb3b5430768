import type { Keyring } from "../../secrets/keyring.server";
import type { Reader } from "../../store/store.server";
import { ArchiveProblem, archiveProblem } from "./archive-files.server";
import { archivesOf, isOwnArchive, wholeAudit, type Archive } from "./archives.server";
import { isOwnErasure } from "./event-hash.server";
import { SealChecker } from "./seal-checker.server";
import type { Seal } from "./seal.server";

/** More findings would tell nothing new. */
const MOST_FINDINGS = 100;
/** They are in memory together. Only before the first seal can there be more. */
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
 * @param folder where the archives are
 * @param onEvent called with the number of events read so far
 */
export async function verifyAudit(
  db: Reader,
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
