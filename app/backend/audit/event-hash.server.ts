import { hash } from "node:crypto";
import type { Selectable } from "kysely";
import { type Keyring, keyedHash, sameHash } from "../secrets/keyring.server";
import { REGISTRY } from "../store/registry.server";
import type { Tables } from "../store/tables.server";

/** An event as it is stored. */
export type StoredEvent = Selectable<Tables["audit_events"]>;

const EMPTIED = REGISTRY.audit_events.erasure.empties;

/** The columns that a tombstone keeps of its event. */
type Remains = Pick<StoredEvent, "id" | "happened_at" | "event">;

/**
 * The hash that seals are computed from: SHA-256 of an event, in base64url. An erased event keeps the hash it had before.
 * The position isn't part of the hash, because seals hash events in order.
 */
export function eventHash(event: StoredEvent): string {
  return event.erased_hash === null ? hashOf(event) : readErased(event.erased_hash).hash;
}

function hashOf(event: StoredEvent): string {
  const { id, happened_at, purpose, address, request_id, device_name, operator, reason } = event;
  const who = [event.account_id, event.subject];
  const facts = [
    id,
    happened_at,
    event.event,
    who,
    purpose,
    address,
    request_id,
    device_name,
    operator,
    reason,
  ];
  return hash("sha256", JSON.stringify(facts), "base64url");
}

/**
 * The columns of an erased event. Its hash stays, so that the seals still match; a keyed hash proves that the portal
 * erased it.
 */
export function erased(keyring: Keyring, event: StoredEvent) {
  const erased_hash = vouchedHash(keyring, event, eventHash(event));
  return { ...EMPTIED, erased_hash } satisfies Omit<StoredEvent, keyof Remains | "seq">;
}

/** The same hash, vouched for with the current key. */
export function vouchedHash(keyring: Keyring, remains: Remains, ofEvent: string): string {
  return `${keyring.current}.${ofEvent}.${vouch(keyring, keyring.current, remains, ofEvent)}`;
}

/** Whether the portal erased this event, and left nothing in it. */
export function isOwnErasure(keyring: Keyring, event: StoredEvent): boolean {
  if (event.erased_hash === null) return false;
  const { version, hash: ofEvent, mac } = readErased(event.erased_hash);
  const isEmpty = Object.entries(EMPTIED).every(
    ([column, nothing]) => event[column as keyof typeof EMPTIED] === nothing,
  );
  return (
    isEmpty && keyring.versions.includes(version) && sameHash(mac, vouch(keyring, version, event, ofEvent))
  );
}

function vouch(
  keyring: Keyring,
  version: number,
  { id, happened_at, event }: Remains,
  ofEvent: string,
): string {
  return keyedHash(keyring, "audit", version, ["erased", id, String(happened_at), event, ofEvent]);
}

function readErased(erasedHash: string) {
  const [version = "", ofEvent = "", mac = ""] = erasedHash.split(".");
  return { version: Number(version), hash: ofEvent, mac };
}
