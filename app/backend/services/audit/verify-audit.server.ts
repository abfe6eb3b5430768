import { sql } from "kysely";
import type { Keyring } from "../../secrets/keyring.server";
import type { Reader } from "../../store/store.server";
import { archiveProblem } from "./archive-files.server";
import { archivesOf, isOwnArchive, wholeAudit, type Archive } from "./archives.server";
import { isOwnErasure, type StoredEvent } from "./event-hash.server";
import { SealChecker } from "./seal-checker.server";
import type { Seal } from "./seal.server";

/** More findings say no more. */
const MOST_FINDINGS = 100;

/** What verifying the audit has found. */
export interface Verdict {
  readonly events: number;
  readonly seals: number;
  /** Events that no seal vouches for yet. */
  readonly unsealed: number;
  /** The newest seal: compare it with what the log or an earlier run named, since the end may have been cut off. */
  readonly lastSeal: Pick<Seal, "no" | "chain_hash"> | undefined;
  /** A sentence each; empty if nothing is wrong. */
  readonly findings: readonly string[];
}

/**
 * Makes sure that no event, seal or archive was changed, removed, added or moved since it was sealed (S95). Events that
 * were erased with a person's data count as unchanged.
 * @param folder where the archives are
 * @param onEvent called with the number of events read so far
 */
export async function verifyAudit(
  db: Reader,
  keyring: Keyring,
  folder: string,
  onEvent: (events: number) => void = () => undefined,
): Promise<Verdict> {
  const findings: string[] = [];
  const find = (finding: string) => {
    if (findings.length < MOST_FINDINGS) findings.push(finding);
  };
  for (const id of await doubledIds(db)) find(`event ${id}: stored more than once`);
  const archives = await archivesOf(db);
  const inArchives = Math.max(-1, ...archives.map(({ through_seq }) => through_seq));
  const areWhole = await checkArchives(keyring, folder, archives, find);

  // Without the archives, seals of events in them can't be compared; whether they are ours can.
  const checker = new SealChecker(db, keyring, { comparedAfter: areWhole ? -1 : inArchives, find });
  await checker.begin();
  let events = 0;
  for await (const event of wholeAudit(db, folder, areWhole ? archives : [])) {
    events += 1;
    onEvent(events);
    if (!isUntouched(keyring, event, inArchives)) find(`event ${event.id}: erased, but not by the portal`);
    await checker.take(event);
  }
  await checker.end();
  return { events, findings, ...checker.counts() };
}

/** Says what is wrong with archives. @returns whether all can be read */
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

/** Files vouch for the erased events in them. */
function isUntouched(keyring: Keyring, event: StoredEvent, inArchives: number): boolean {
  return event.erased_hash === null || event.seq <= inArchives || isOwnErasure(keyring, event);
}

async function doubledIds(db: Reader): Promise<string[]> {
  const doubled = await db
    .selectFrom("audit_events")
    .select("id")
    .groupBy("id")
    .having(sql<number>`count(*)`, ">", 1)
    .limit(MOST_FINDINGS)
    .execute();
  return doubled.map(({ id }) => id);
}
