import type { Keyring } from "../../secrets/keyring.server";
import type { Reader } from "../../store/store.server";
import type { StoredEvent } from "./event-hash.server";
import { lastSeal } from "./seal-events.server";
import { EventsDigest, isIntact, type Seal } from "./seal.server";

const PAGE = 1000;

interface Checking {
  /** Seals whose events begin at a number up to this one are not compared with their events. */
  readonly comparedAfter: number;
  readonly find: (finding: string) => void;
}

/** Compares the seals with the events, which must be given in order. */
export class SealChecker {
  readonly #db: Reader;
  readonly #keyring: Keyring;
  readonly #how: Checking;
  #seals: AsyncGenerator<Seal> | undefined;
  #current: Seal | undefined;
  #before: Seal | undefined;
  #digest = new EventsDigest();
  #checked = 0;
  #unsealed = 0;

  constructor(db: Reader, keyring: Keyring, how: Checking) {
    this.#db = db;
    this.#keyring = keyring;
    this.#how = how;
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
    const { find, comparedAfter } = this.#how;
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
    if (found !== events) this.#how.find(`${name}: ${events} sealed, ${found} found (${which})`);
    else if (this.#digest.hash !== events_hash)
      this.#how.find(`${name}: an event was changed, or their order was (${which})`);
  }

  async #nextSeal(): Promise<Seal | undefined> {
    const next = await this.#seals?.next();
    return next === undefined || next.done === true ? undefined : next.value;
  }
}

async function* sealsOf(db: Reader, through: number): AsyncGenerator<Seal> {
  for (let after = 0; ; ) {
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
