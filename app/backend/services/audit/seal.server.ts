import { hash } from "node:crypto";
import type { Selectable } from "kysely";
import { type Keyring, keyedHash, sameHash } from "../../secrets/keyring.server";
import type { Tables } from "../../store/tables.server";
import { type StoredEvent, eventHash } from "./event-hash.server";

/** A seal as it is stored. */
export type Seal = Selectable<Tables["audit_seals"]>;

/** Seals the events that follow the last sealed one. @param now ms */
export function sealFor(keyring: Keyring, before: Seal | undefined, digest: EventsDigest, now: number): Seal {
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

/** Whether the portal made this seal, and it follows the one before. */
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
