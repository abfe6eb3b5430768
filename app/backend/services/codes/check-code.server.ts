import { sql } from "kysely";
import { readCode } from "~/contract/identifiers";
import type { Purpose } from "~/contract/purposes";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../../caller.server";
import { done, refused, type Outcome } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import { sameHash, tokenHash } from "../../secrets/keyed-hashes.server";
import { statement } from "../../store/statement.server";
import type { Tx } from "../../store/store.server";
import { reserveAttempt } from "../counting/attempts.server";
import { audit } from "../audit/write-event.server";
import { codeMac, codePolicy, codeSubject, type CodeOwner } from "./code-owner.server";
import type { LockedCode } from "./code-rows.server";

/** A right code that is not used up yet. */
export interface RightCode {
  readonly id: string;
  readonly keyVersion: number;
  readonly purpose: Purpose;
  readonly subject: string;
}

const countWrong = statement((db, of: { readonly id: string; readonly most: number }) =>
  db
    .updateTable("codes")
    .set({
      tries: sql<number>`tries + 1`,
      state: sql<"open" | "blocked">`case when tries + 1 >= ${of.most} then 'blocked' else 'open' end`,
    })
    .where("id", "=", of.id)
    .returning("state"),
);

/**
 * Compares what was typed with the browser's code, whose lock makes other confirms wait: of fifty at once, at most five
 * are compared (S21). A wrong code counts for the code and for the day. A right one is used up only by `consumeCode`, in
 * the same transaction as its effect. Refusals: 007 wrong, 016 wrong and now blocked.
 */
export async function compareCode(
  tx: Tx,
  parts: Parts,
  caller: Caller,
  owner: CodeOwner & { readonly accountId?: string | undefined; readonly isKnownBrowser: boolean },
  { code, typed }: { readonly code: OpenCode; readonly typed: string },
): Promise<Outcome<RightCode>> {
  const { keyring, limits } = parts;
  const now = parts.clock();
  const { accountId, purpose } = owner;
  const subject = accountId === undefined ? owner.subject : undefined;
  const { id, key_version: keyVersion } = code;
  if (sameHash(codeMac(keyring, keyVersion, owner, id, readCode(typed)), code.code_mac)) {
    await audit(tx, caller, now, { event: "code-right", accountId, subject, purpose });
    return done({ id, keyVersion, purpose, subject: owner.subject });
  }
  const browserHash = owner.isKnownBrowser ? tokenHash(owner.browser) : undefined;
  await reserveAttempt(tx, codePolicy(limits), codeSubject(owner, browserHash), now);
  const counted = await countWrong.first(tx, { id, most: limits.CODE_TRIES });
  const isBlocked = counted?.state !== "open";
  const event = isBlocked ? "code-blocked" : "code-wrong";
  await audit(tx, caller, now, { event, accountId, subject, purpose });
  return refused(isBlocked ? "016" : "007");
}

/** A code that can be compared. */
type OpenCode = LockedCode & { readonly state: "open" };

/** Whether a code can be compared: it was sent, is neither used nor blocked, and has not expired. */
export function isOpen(code: LockedCode | undefined, now: number): code is OpenCode {
  return code?.state === "open" && code.ends_at > now;
}

/** The refusal if a code can't be compared. Such a try is not counted, because it reveals nothing. */
export function refusalOfAbsent(code: LockedCode | undefined): Refusal {
  return refused(code?.state === "blocked" ? "016" : "010");
}
