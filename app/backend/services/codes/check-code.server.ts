import { sql } from "kysely";
import { readCode } from "~/contract/identifiers";
import type { Purpose } from "~/contract/purposes";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../../caller.server";
import { done, refused, type Outcome } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import { sameHash, tokenHash } from "../../secrets/keyed-hashes.server";
import type { Tx } from "../../store/store.server";
import { giveAttemptBack, reserveAttempt } from "../counting/attempts.server";
import { audit } from "../audit/write-event.server";
import { codeMac, codePolicy, codeSubject, type CodeOwner } from "./code-owner.server";
import { ownerColumns, type LockedCode } from "./code-rows.server";

/** A right code that is not used up yet. */
export interface RightCode {
  readonly id: string;
  readonly keyVersion: number;
  readonly purpose: Purpose;
  readonly subject: string;
}

/**
 * Compares what was typed with the browser's code. The try is counted first, in one statement for the day and one for
 * the code: of fifty at once, at most five are compared (S21). A right code gives its try back, and is used up only by
 * `consumeCode`, in the same transaction as its effect. Refusals: 007 wrong, 016 blocked.
 */
export async function checkCode(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  owner: CodeOwner & { readonly accountId?: string | undefined; readonly isKnownBrowser: boolean },
  typed: string,
): Promise<Outcome<RightCode>> {
  const now = deps.clock();
  const { accountId, purpose } = owner;
  const policy = codePolicy(deps.limits);
  const browserHash = owner.isKnownBrowser ? tokenHash(owner.browser) : undefined;
  const today = await reserveAttempt(tx, policy, codeSubject(owner, browserHash), now);
  const counted = await countTry(tx, deps, owner, now);
  if (!counted) {
    // Another try blocked the code between the two statements; nothing was compared.
    await giveAttemptBack(tx, policy, today);
    return refused("016");
  }
  const subject = accountId === undefined ? owner.subject : undefined;
  const mac = codeMac(deps.keyring, counted.key_version, owner, counted.id, readCode(typed));
  if (!sameHash(mac, counted.code_mac)) {
    const event = counted.state === "blocked" ? "code-blocked" : "code-wrong";
    await audit(tx, caller, now, { event, accountId, subject, purpose });
    return refused(counted.state === "blocked" ? "016" : "007");
  }
  await giveAttemptBack(tx, policy, today);
  await tx
    .updateTable("codes")
    .set({ tries: sql<number>`tries - 1`, state: "open" })
    .where("id", "=", counted.id)
    .execute();
  await audit(tx, caller, now, { event: "code-right", accountId, subject, purpose });
  return done({ id: counted.id, keyVersion: counted.key_version, purpose, subject: owner.subject });
}

/** Whether a code can be compared: neither used nor blocked, nor expired. */
export function isOpen(code: LockedCode | undefined, now: number): boolean {
  return code?.state === "open" && code.ends_at > now;
}

/**
 * The refusal if a code can't be compared: 016 blocked, 010 expired, used or never sent. Such a try is not counted,
 * because it reveals nothing.
 */
export function refusalOfClosed(code: LockedCode | undefined): Refusal {
  return refused(code?.state === "blocked" ? "016" : "010");
}

/** Counts a try, and blocks the code if it is the last. Undefined if the code is no longer open. */
async function countTry(tx: Tx, { limits }: Dependencies, owner: CodeOwner, now: number) {
  return tx
    .updateTable("codes")
    .set({
      tries: sql<number>`tries + 1`,
      state: sql<
        "open" | "blocked"
      >`case when tries + 1 >= ${limits.CODE_TRIES} then 'blocked' else 'open' end`,
    })
    .where((eb) => eb.and({ ...ownerColumns(owner), state: "open" }))
    .where("ends_at", ">", now)
    .returning(["id", "code_mac", "key_version", "state"])
    .executeTakeFirst();
}
