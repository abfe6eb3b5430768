import { hash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { type Clock, SECOND, systemClock } from "~/platform/time.server";
import { keyedHash, type Keyring, sameHash } from "../secrets/keyring.server";
import type { Tables } from "../store/tables.server";
import { type Reader, type Store, takeAdvisoryLock } from "../store/store.server";
import { eventHash, type StoredEvent } from "./event-hash.server";
import { eventsInOrder } from "./events-in-order.server";

/** A seal as it is stored. */
export type Seal = Selectable<Tables["audit_seals"]>;

/** Seals the events that follow the last sealed one. @param now ms */
function sealFor(keyring: Keyring, before: Seal | undefined, digest: EventsDigest, now: number): Seal {
  const facts = {
    no: (before?.no ?? 0) + 1,
    through_seq: digest.through,
    events: digest.events,
    events_hash: digest.hash,
    sealed_at: now,
  };
  const chained = { ...facts, chain_hash: chainHash(before, facts) };
  return { ...chained, ...macOf(keyring, chained) };
}

/**
 * A running hash over events in order. They are added one at a time, because a seal may cover more than fit in memory.
 */
export class EventsDigest {
  #hash = "";
  #events = 0;
  #through = -1;

  add(event: StoredEvent): void {
    this.#hash = hash("sha256", this.#hash + eventHash(event), "base64url");
    this.#events += 1;
    this.#through = event.seq;
  }

  get hash(): string {
    return this.#hash;
  }

  get events(): number {
    return this.#events;
  }

  /** The number of the last event. */
  get through(): number {
    return this.#through;
  }
}

/** The keyed hash of a seal, under the current key. */
export function macOf(keyring: Keyring, seal: Omit<Seal, "key_version" | "seal_mac">) {
  return { key_version: keyring.current, seal_mac: sealMac(keyring, keyring.current, seal) };
}

/** Whether the portal made this seal, and it follows the previous seal. */
export function isIntact(keyring: Keyring, before: Seal | undefined, seal: Seal): boolean {
  return (
    seal.no === (before?.no ?? 0) + 1 &&
    seal.chain_hash === chainHash(before, seal) &&
    hasOwnMac(keyring, seal)
  );
}

/** Whether the portal made this seal. Doesn't tell whether it is in the right place. */
export function hasOwnMac(keyring: Keyring, seal: Seal): boolean {
  return (
    keyring.versions.includes(seal.key_version) &&
    sameHash(seal.seal_mac, sealMac(keyring, seal.key_version, seal))
  );
}

type Facts = Pick<Seal, "no" | "through_seq" | "events" | "events_hash" | "sealed_at">;

function chainHash(before: Seal | undefined, seal: Facts): string {
  return hash("sha256", JSON.stringify([before?.chain_hash ?? "", factsOf(seal)]), "base64url");
}

function sealMac(keyring: Keyring, version: number, seal: Facts & Pick<Seal, "chain_hash">): string {
  return keyedHash(keyring, "audit", version, ["seal", ...factsOf(seal).map(String), seal.chain_hash]);
}

function factsOf({ no, through_seq, events, events_hash, sealed_at }: Facts) {
  return [no, through_seq, events, events_hash, sealed_at];
}

/** The most events under one seal. The fewer there are, the more precisely a finding points to the place. */
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
 * before they commit, so this waits for open transactions.
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

/**
 * How many seconds the oldest unsealed event has been waiting; 0 if all are sealed. Two index look-ups, however many
 * events there are.
 */
export async function unsealedSeconds(db: Reader, clock: Clock): Promise<number> {
  const sealed = (await lastSeal(db))?.through_seq ?? -1;
  const oldest = await db
    .selectFrom("audit_events")
    .select("happened_at")
    .where("seq", ">", sealed)
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return oldest ? Math.max(0, clock() - oldest.happened_at) / SECOND : 0;
}

/** @throws StartRefusal if the role of the connection may not seal the audit */
export async function requireSealingRole(store: Store): Promise<void> {
  if (!(await maySeal(store.read)))
    throw new StartRefusal(
      "this role may not seal the audit: name it in AUDIT_DATABASE_ROLE, and run portal migrate",
    );
}

/** Seals the new events of the audit. @returns how many */
export function sealAudit(store: Store, keyring: Keyring): Promise<number> {
  return sealEvents(store, keyring, systemClock);
}
