import { sql, type RawBuilder } from "kysely";
import type { Purpose } from "~/contract/purposes";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../../caller.server";
import { SECOND } from "../../clock.server";
import { refused } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import { keyedHash, sameHash, tokenHash } from "../../secrets/keyed-hashes.server";
import type { Tx } from "../../store/store.server";
import type { RightCode } from "./check-code.server";
import type { CodeOwner } from "./code-owner.server";
import { ownerColumns } from "./code-rows.server";

/** What a confirm sends, in schema order. The same payload means the same confirm. */
export type Payload = Readonly<Record<string, string>>;

/**
 * Holds a right code during work that is too long for a transaction; `takeBackHold` ends the hold. It counts as a
 * refusal, so that at most five of fifty simultaneous confirms start the work. Returns false if the code is no longer
 * open or has no refusals left.
 */
export async function holdCode(tx: Tx, { limits }: Dependencies, code: RightCode): Promise<boolean> {
  const held = await tx
    .updateTable("codes")
    .set({ refusals: sql<number>`refusals + 1` })
    .where("id", "=", code.id)
    .where("state", "=", "open")
    .where("refusals", "<", limits.CODE_REFUSALS)
    .returning("id")
    .executeTakeFirst();
  return held !== undefined;
}

/** Ends a hold. Returns false if the code was used, replaced or blocked meanwhile, or has expired. */
export async function takeBackHold(tx: Tx, deps: Dependencies, code: RightCode): Promise<boolean> {
  const open = await tx
    .updateTable("codes")
    .set({ refusals: sql<number>`refusals - 1` })
    .where("id", "=", code.id)
    .where("state", "=", "open")
    .where("ends_at", ">", deps.clock())
    .returning("id")
    .executeTakeFirst();
  return open !== undefined;
}

/**
 * Uses up a right code, in the same transaction as its effect.
 * @throws Error if the code is no longer open, which undoes the effect
 */
export async function consumeCode(
  tx: Tx,
  deps: Dependencies,
  code: RightCode,
  payload: Payload,
): Promise<void> {
  const now = deps.clock();
  const mac = payloadMac(deps, code.keyVersion, code.purpose, payload);
  const used = await tx
    .updateTable("codes")
    .set({ state: "used", used_at: now, payload_mac: mac })
    .where("id", "=", code.id)
    .where("state", "=", "open")
    .where("ends_at", ">", now)
    .returning("id")
    .executeTakeFirst();
  if (!used) throw new Error("a code that was right is no longer open");
}

/**
 * Finds the code that this browser has just used with the same payload: a doubled submit. The session doesn't matter:
 * both were sent with the same one, and the first submit has ended it.
 */
export async function findRepeatedUse(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  purpose: Purpose,
  payload: Payload,
): Promise<RightCode | undefined> {
  const since = deps.clock() - deps.limits.CONFIRM_REPEAT_SECONDS * SECOND;
  const codes = await tx
    .selectFrom("codes")
    .select(["id", "key_version", "subject", "payload_mac"])
    .where((eb) => eb.and({ browser_hash: tokenHash(caller.browser), purpose, state: "used" }))
    .where("used_at", ">", since)
    .execute();
  const used = codes.find(({ key_version, payload_mac }) => {
    const isKept = payload_mac !== null && deps.keyring.versions.includes(key_version);
    return isKept && sameHash(payload_mac, payloadMac(deps, key_version, purpose, payload));
  });
  return used && { id: used.id, keyVersion: used.key_version, purpose, subject: used.subject };
}

/** Keyed hash of a confirm's payload, which contains the code and often a password. */
export function payloadMac(
  { keyring }: Dependencies,
  version: number,
  purpose: Purpose,
  payload: Payload,
): string {
  return keyedHash(keyring, "code", version, ["payload", purpose, JSON.stringify(payload)]);
}

/**
 * The token that a confirm returns. It is derived, so that a repeat returns the same one although only hashes are
 * stored.
 */
export function tokenOfConfirm(
  { keyring }: Dependencies,
  caller: Caller,
  code: RightCode,
  kind: "session" | "trusted-device",
): string {
  return keyedHash(keyring, "token", code.keyVersion, [kind, code.id, caller.browser, code.purpose]);
}

/** Counts a right code that was refused for another reason. The fifth refusal blocks the code and returns 016. */
export async function refuseRightCode(
  tx: Tx,
  deps: Dependencies,
  code: RightCode,
  refusal: Refusal,
): Promise<Refusal> {
  const state = await countRefusal(tx, deps, sql<boolean>`id = ${code.id}`);
  return state === "open" ? refusal : refused("016");
}

/**
 * Counts a confirm with a payload that breaks a rule, whatever code it contains. The fifth blocks the browser's code
 * and returns 016.
 */
export async function refuseInvalidConfirm(
  tx: Tx,
  deps: Dependencies,
  owner: CodeOwner,
): Promise<Refusal | undefined> {
  const { browser_hash, subject, purpose } = ownerColumns(owner);
  const isOwners = sql<boolean>`browser_hash = ${browser_hash} and subject = ${subject} and purpose = ${purpose}`;
  const state = await countRefusal(tx, deps, isOwners);
  return state === "blocked" ? refused("016") : undefined;
}

async function countRefusal(tx: Tx, deps: Dependencies, whichCode: RawBuilder<boolean>) {
  const isLast = sql<boolean>`refusals + 1 >= ${deps.limits.CODE_REFUSALS}`;
  const counted = await tx
    .updateTable("codes")
    .set({
      refusals: sql<number>`refusals + 1`,
      state: sql<"open" | "blocked">`case when ${isLast} then 'blocked' else 'open' end`,
    })
    .where(whichCode)
    .where("state", "=", "open")
    .where("ends_at", ">", deps.clock())
    .returning("state")
    .executeTakeFirst();
  return counted?.state;
}
