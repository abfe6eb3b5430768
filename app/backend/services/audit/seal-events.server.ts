import { sql } from "kysely";
import type { Clock } from "../../clock.server";
import type { Keyring } from "../../secrets/keyring.server";
import { takeAdvisoryLock } from "../../store/advisory-lock.server";
import type { Reader, Store } from "../../store/store.server";
import { eventsInOrder } from "./events-in-order.server";
import { EventsDigest, sealFor, type Seal } from "./seal.server";

/** Most events under one seal. The fewer there are, the closer a finding points to the place. */
const MOST_EVENTS = 5000;

/** Whether this process may seal: on PostgreSQL, only the sealing role and the tables' owner may. */
export async function maySeal(db: Reader): Promise<boolean> {
  if (!db.isPostgres) return true;
  const { rows } = await sql<{ may: boolean }>`
    select has_table_privilege('audit_seals', 'insert') and has_function_privilege('audit_watermark()', 'execute') as may`.execute(
    db,
  );
  return rows[0]?.may === true;
}

/**
 * Seals the events written since the last seal (S95). Any number of processes may try at once; one wins.
 * @returns how many events this call has sealed
 */
export async function sealEvents(store: Store, keyring: Keyring, clock: Clock): Promise<number> {
  const through = await lastFinal(store.read);
  let before = await lastSeal(store.read);
  let digest = new EventsDigest();
  let sealed = 0;
  const put = async () => {
    if (digest.events === 0) return true;
    const seal = sealFor(keyring, before, digest, clock());
    if (!(await add(store, seal))) return false;
    before = seal;
    sealed += digest.events;
    digest = new EventsDigest();
    return true;
  };
  for await (const event of eventsInOrder(store.read, { after: before?.through_seq ?? -1, through })) {
    // Events with the same number, from before there were numbers, are sealed together.
    if (digest.events >= MOST_EVENTS && event.seq > digest.through && !(await put())) return sealed;
    digest.add(event);
  }
  await put();
  return sealed;
}

/**
 * The number of the last event; no event can appear before it any more. On PostgreSQL, transactions get their numbers
 * before they commit, so this waits for those under way.
 */
async function lastFinal(db: Reader): Promise<number> {
  const { rows } = db.isPostgres
    ? await sql<{ seq: number }>`select audit_watermark() as seq`.execute(db)
    : await sql<{ seq: number }>`select coalesce(max(seq), -1) as seq from audit_events`.execute(db);
  return rows[0]?.seq ?? -1;
}

/** The newest seal. */
export function lastSeal(db: Reader): Promise<Seal | undefined> {
  return db.selectFrom("audit_seals").selectAll().orderBy("no", "desc").limit(1).executeTakeFirst();
}

/** Adds a seal, unless another process was faster. */
function add(store: Store, seal: Seal): Promise<boolean> {
  return store.write(async (tx) => {
    await takeAdvisoryLock(tx, "audit-seal");
    const newest = await lastSeal(tx);
    if ((newest?.no ?? 0) + 1 !== seal.no) return false;
    await tx.insertInto("audit_seals").values(seal).execute();
    return true;
  });
}
