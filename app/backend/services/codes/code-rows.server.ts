import { type RawBuilder, sql } from "kysely";
import { readCode } from "~/contract/rules";
import type { Purpose } from "~/contract/purposes";
import { done, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import type { Limits } from "~/platform/config/limits";
import { DAY, SECOND } from "~/platform/time.server";
import { audit, type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { type Keyring, keyedHash, newToken, sameHash, tokenHash } from "../../secrets/keyring.server";
import type { Reader, Tx } from "../../store/store.server";
import type { Tables } from "../../store/tables.server";
import { type AttemptPolicy, giveAttemptBack, reserveAttempt } from "../counting.server";
import { countGuess, type Guesser, noteRightFactor, noteWrongGuess } from "../factors/guesses.server";

/** The browser, subject and purpose that a code is bound to. It works with no other (S25). */
export interface CodeOwner {
  /** An account, a customer, or a keyed hash of details that match no customer. */
  readonly subject: string;
  readonly purpose: Purpose;
  /** The browser's token. */
  readonly browser: string;
}

/** The stored form of a code: a keyed hash bound to purpose, subject and row, so that it can't be moved (S30). */
export function codeMac(
  keyring: Keyring,
  version: number,
  owner: CodeOwner,
  codeId: string,
  code: string,
): string {
  return keyedHash(keyring, "code", version, [code, owner.purpose, owner.subject, codeId]);
}

/** The key in `attempts` for wrong codes. Unknown browsers share one; each known browser has its own (S107). */
export function codeSubject(
  { purpose, subject }: Pick<CodeOwner, "purpose" | "subject">,
  knownBrowserHash: string | undefined,
): string {
  const common = `code|${purpose}|${subject}`;
  return knownBrowserHash === undefined ? common : `${common}|${knownBrowserHash}`;
}

/** Fifteen wrong tries a day under one key stop new codes for an hour; codes already sent stay valid. */
export function codePolicy(limits: Limits): AttemptPolicy {
  return {
    limit: limits.CODE_TRIES_PER_DAY,
    blocks: [limits.CODE_STOP_SECONDS * SECOND],
    forgetAfter: DAY,
    forgetFrom: "first",
    blocksTries: false,
  };
}

/** The key columns of an owner's code. Each owner has one row. */
export function ownerColumns({ browser, subject, purpose }: CodeOwner) {
  return { browser_hash: tokenHash(browser), subject, purpose };
}

/** A code whose row is locked until the end of the transaction. */
export type LockedCode = Pick<Tables["codes"], "state" | "sent_at" | "ends_at">;

/** The browser's code as it is now, if any. Other confirms wait until the transaction ends. */
export function lockCode(tx: Tx, owner: CodeOwner): Promise<LockedCode | undefined> {
  return tx
    .selectFrom("codes")
    .select(["state", "sent_at", "ends_at"])
    .where((eb) => eb.and(ownerColumns(owner)))
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** How recent a code must be to stop another from being sent (both in ms). */
export interface Freshness {
  readonly now: number;
  readonly freshFor: number;
  /** Since the code was sent, or since the resend link was last clicked (specification §9). */
  readonly since: "sent_at" | "resent_at";
}

/** How recent a code must be for a doubled submit, or another click on the resend link, to send nothing. */
export function freshness({ limits }: Dependencies, now: number, isResend: boolean): Freshness {
  return isResend
    ? { now, since: "resent_at", freshFor: limits.RESEND_THROTTLE_MS }
    : { now, since: "sent_at", freshFor: limits.CODE_REPEAT_SECONDS * SECOND };
}

/** Whether the browser has a valid code sent, or resent, less than `freshFor` ago. */
export async function hasFreshCode(
  reader: Reader,
  owner: CodeOwner,
  { now, since, freshFor }: Freshness,
): Promise<boolean> {
  const fresh = await reader
    .selectFrom("codes")
    .select("id")
    .where((eb) => eb.and({ ...ownerColumns(owner), state: "open" }))
    .where("ends_at", ">", now)
    .where(since, ">", now - freshFor)
    .executeTakeFirst();
  return fresh !== undefined;
}

interface NewCode {
  /** Undefined if its message is a decoy: the row then gets a code that no six digits match. */
  readonly code: string | undefined;
  /** Leaves a valid code as it is and only notes that another was asked for. */
  readonly keepsValid: boolean;
}

/** A row for a new code, without tries. */
export function newCodeRow(
  { keyring }: Dependencies,
  owner: CodeOwner,
  { code, sentAt, endsAt }: { readonly code: string; readonly sentAt: number; readonly endsAt: number },
) {
  const id = newToken();
  const key_version = keyring.current;
  return {
    ...ownerColumns(owner),
    id,
    code_mac: codeMac(keyring, key_version, owner, id, code),
    key_version,
    state: "open" as const,
    sent_at: sentAt,
    resent_at: 0,
    ends_at: endsAt,
    tries: 0,
    refusals: 0,
    used_at: null,
    payload_mac: null,
  };
}

/**
 * Replaces the browser's last code unless that is fresh. Returns whether it did; of two at once, only one does. Wrong
 * tries carry over from an open code; after a blocked or used one they start from zero.
 */
export async function putCode(
  tx: Tx,
  deps: Dependencies,
  owner: CodeOwner,
  { now, since, freshFor }: Freshness,
  { code, keepsValid }: NewCode,
): Promise<boolean> {
  const endsAt = now + deps.limits.CODE_LIFETIME_SECONDS * SECOND;
  const values = {
    ...newCodeRow(deps, owner, { code: code ?? newToken(), sentAt: now, endsAt }),
    resent_at: since === "resent_at" ? now : 0,
  };
  const isOpen = sql<boolean>`codes.state = 'open'`;
  const isKept = sql<boolean>`(${keepsValid ? 1 : 0} = 1 and ${isOpen} and codes.ends_at > ${now})`;
  const written = await tx
    .insertInto("codes")
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(["browser_hash", "subject", "purpose"])
        .doUpdateSet({
          ...values,
          id: oldIf(isKept, "id"),
          code_mac: oldIf(isKept, "code_mac"),
          key_version: oldIf(isKept, "key_version"),
          ends_at: oldIf(isKept, "ends_at"),
          tries: sql<number>`case when ${isOpen} then codes.tries else 0 end`,
          refusals: sql<number>`case when ${isOpen} then codes.refusals else 0 end`,
        })
        .where((eb) =>
          eb.or([
            eb("codes.state", "<>", "open"),
            eb("codes.ends_at", "<=", now),
            eb(`codes.${since}`, "<=", now - freshFor),
          ]),
        ),
    )
    .returning("id")
    .executeTakeFirst();
  return written !== undefined;
}

/** The column's old value if the condition holds, otherwise the new one. */
function oldIf<Column extends "id" | "code_mac" | "key_version" | "ends_at">(
  condition: RawBuilder<boolean>,
  column: Column,
) {
  const [old, next] = [sql.ref(`codes.${column}`), sql.ref(`excluded.${column}`)];
  return sql<Tables["codes"][Column]>`case when ${condition} then ${old} else ${next} end`;
}

/** Selects a subject's codes: for some purposes or all; of all browsers, one, or all but one. */
interface WhichCodes extends Pick<CodeOwner, "subject"> {
  readonly purposes?: readonly Purpose[];
  /** The token of the browser whose codes expire, or the one whose codes stay. */
  readonly browser?: { readonly operator: "=" | "<>"; readonly token: string };
}

/** Expires open codes and returns how many there were. Their wrong tries still count. */
export async function expireCodes(
  tx: Tx,
  { subject, purposes, browser }: WhichCodes,
  now: number,
): Promise<number> {
  const expired = await tx
    .updateTable("codes")
    // Not `now`: a process whose clock is a little behind might still take the code.
    .set((eb) => ({ ends_at: eb.ref("sent_at") }))
    .where((eb) =>
      eb.and([
        eb.and({ subject, state: "open" }),
        eb("ends_at", ">", now),
        ...(purposes ? [eb("purpose", "in", purposes)] : []),
        ...(browser ? [eb("browser_hash", browser.operator, tokenHash(browser.token))] : []),
      ]),
    )
    .returning("id")
    .execute();
  return expired.length;
}

/** A right code that is not used up yet. */
export interface RightCode {
  readonly id: string;
  readonly keyVersion: number;
  readonly purpose: Purpose;
  readonly subject: string;
  /** After a factor's code: uses up its time step or challenge, besides the row. May throw `UsedMeanwhile`. */
  readonly spend?: (tx: Tx) => Promise<void>;
}

/**
 * A factor's code was right when it was compared, but is used up when its effect is written: a transaction has locked
 * the account since, between the two transactions of a confirm with work.
 */
export class UsedMeanwhile extends Error {
  override readonly name = "UsedMeanwhile";
}

/**
 * Compares the typed code with the browser's. The try is counted first, in one statement for the day and one for
 * the code: of fifty at once, at most five are compared (S21). A right code gives its try back, and is used up only by
 * `consumeCode`, in the same transaction as its effect. Refusals: 007 wrong, 016 blocked.
 */
export async function checkCode(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  owner: CodeOwner & {
    readonly accountId?: string | undefined;
    readonly isKnownBrowser: boolean;
    readonly guesser?: Guesser | undefined;
  },
  typed: string,
): Promise<Outcome<RightCode>> {
  const now = deps.clock();
  const { accountId, purpose, guesser } = owner;
  const policy = codePolicy(deps.limits);
  const browserHash = owner.isKnownBrowser ? tokenHash(owner.browser) : undefined;
  const today = await reserveAttempt(tx, policy, codeSubject(owner, browserHash), now);
  const counted = await countTry(tx, deps, owner, now);
  if (!counted) {
    // Another try blocked the code between the two statements; nothing was compared.
    await giveAttemptBack(tx, policy, today);
    return refused("016");
  }
  // A stop of factors stops no code that was sent.
  const counting = guesser && (await countGuess(tx, deps, guesser));
  const guess = counting?.kind === "counted" ? counting : undefined;
  const subject = accountId === undefined ? owner.subject : undefined;
  const mac = codeMac(deps.keyring, counted.key_version, owner, counted.id, readCode(typed));
  if (!sameHash(mac, counted.code_mac)) {
    const event = counted.state === "blocked" ? "code-blocked" : "code-wrong";
    await audit(tx, caller, now, { event, accountId, subject, purpose });
    if (guesser && guess) await noteWrongGuess(tx, deps, caller, guesser, guess);
    return refused(counted.state === "blocked" ? "016" : "007");
  }
  await giveAttemptBack(tx, policy, today);
  if (guesser) await noteRightFactor(tx, deps, guesser, "sms", guess);
  await tx
    .updateTable("codes")
    .set({ tries: sql<number>`tries - 1`, state: "open" })
    .where("id", "=", counted.id)
    .execute();
  await audit(tx, caller, now, { event: "code-right", accountId, subject, purpose });
  return done({ id: counted.id, keyVersion: counted.key_version, purpose, subject: owner.subject });
}

/** Whether a code can be compared: it was sent, and is neither used, blocked nor expired. */
export function isOpen(code: LockedCode | undefined, now: number): boolean {
  return code?.state === "open" && code.sent_at > 0 && code.ends_at > now;
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
