import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { SECOND } from "~/platform/time.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { sameHash, tokenHash } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";

// A row and not a sealed value: each is used once, whichever of several portals the answer reaches, and a browser has no
// more than three.

/** Three tabs of a browser can wait for a passkey. */
const SLOTS = [0, 1, 2];

/** Keeps a challenge for the caller's browser. A fourth one takes the place of a used one, or else of the oldest. */
export async function keepIssued(
  tx: Tx,
  { clock, limits }: Dependencies,
  { browser }: Caller,
  challenge: string,
): Promise<void> {
  const browserHash = tokenHash(browser);
  const kept = await tx
    .selectFrom("passkey_sign_ins")
    .select("slot")
    .where("browser_hash", "=", browserHash)
    .orderBy(sql`used_at is null`)
    .orderBy("ends_at")
    .execute();
  const values = {
    id: randomUUID(),
    challenge,
    ends_at: clock() + limits.PASSKEY_CHALLENGE_SECONDS * SECOND,
    used_at: null,
    answer_hash: null,
  };
  const into = (slot: number) =>
    tx.insertInto("passkey_sign_ins").values({ browser_hash: browserHash, slot, ...values });
  // Two tabs may ask at the same time, so a free place is taken only if it still is.
  for (const slot of SLOTS.filter((one) => kept.every((row) => row.slot !== one))) {
    const free = into(slot).onConflict((conflict) => conflict.columns(["browser_hash", "slot"]).doNothing());
    if (await free.returning("id").executeTakeFirst()) return;
  }
  await into(kept[0]?.slot ?? 0)
    .onConflict((conflict) => conflict.columns(["browser_hash", "slot"]).doUpdateSet(values))
    .execute();
}

/** A challenge that was issued to the caller's browser. */
export interface IssuedChallenge {
  readonly id: string;
}

/** Finds a challenge that this browser can answer, or has just answered. */
export async function findIssued(
  deps: Dependencies,
  { browser }: Caller,
  challenge = "",
): Promise<IssuedChallenge | undefined> {
  const now = deps.clock();
  const issued = await deps.store.read
    .selectFrom("passkey_sign_ins")
    .select(["id", "ends_at", "used_at"])
    .where("challenge", "=", challenge)
    .where("browser_hash", "=", tokenHash(browser))
    .executeTakeFirst();
  if (!issued) return undefined;
  const isOpen = issued.used_at === null && issued.ends_at > now;
  return isOpen || isJustUsed(deps, issued.used_at) ? { id: issued.id } : undefined;
}

function isJustUsed({ clock, limits }: Dependencies, usedAt: number | null): boolean {
  return usedAt !== null && usedAt > clock() - limits.CONFIRM_REPEAT_SECONDS * SECOND;
}

/** Uses a challenge up. Returns false if another answer has, or the time is over. */
export async function useIssued(tx: Tx, { clock }: Dependencies, { id }: IssuedChallenge): Promise<boolean> {
  const now = clock();
  const used = await tx
    .updateTable("passkey_sign_ins")
    .set({ used_at: now })
    .where("id", "=", id)
    .where("used_at", "is", null)
    .where("ends_at", ">", now)
    .returning("id")
    .executeTakeFirst();
  return used !== undefined;
}

/** An answer as it was sent. */
type Sent = Readonly<Record<string, unknown>>;

// Not keyed: a signature can't be guessed.
const hashOf = (sent: Sent) => tokenHash(JSON.stringify(sent));

/** Remembers a right answer, which may come twice. */
export async function noteAnswer(tx: Tx, { id }: IssuedChallenge, sent: Sent): Promise<void> {
  await tx
    .updateTable("passkey_sign_ins")
    .set({ answer_hash: hashOf(sent) })
    .where("id", "=", id)
    .execute();
}

/** Whether the same answer was right a moment ago. */
export async function isRepeated(
  tx: Tx,
  deps: Dependencies,
  { id }: IssuedChallenge,
  sent: Sent,
): Promise<boolean> {
  const issued = await tx
    .selectFrom("passkey_sign_ins")
    .select(["used_at", "answer_hash"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (typeof issued?.answer_hash !== "string" || !isJustUsed(deps, issued.used_at)) return false;
  return sameHash(issued.answer_hash, hashOf(sent));
}
