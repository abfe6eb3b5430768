import { type RawBuilder, sql } from "kysely";
import type { Purpose } from "~/contract/purposes";
import { type Refusal, refused } from "~/contract/refusal.server";
import type { Limits } from "~/platform/config/limits";
import { DAY, SECOND } from "~/platform/time.server";
import type { Dependencies } from "../dependencies.server";
import { type Keyring, keyedHash, newToken, tokenHash } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import type { AttemptPolicy } from "../limits/attempts.server";

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

/** Stands for the code of a row that has none. It is no hash, so nothing matches it. */
const NO_CODE = "";

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

/** How recent a code must be for a double submit, or another click on the resend link, to send nothing. */
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
  /** Undefined if its message is a decoy: a longer code then takes its place, so that the row costs the same work (S108). */
  readonly code: string | undefined;
  /** Leaves a valid code as it is and only records that another was requested. */
  readonly keepsValid: boolean;
}

/** A row without tries. Without a code it only counts the tries of other proofs. */
export function newCodeRow(
  { keyring }: Dependencies,
  owner: CodeOwner,
  { code, sentAt, endsAt }: { readonly code?: string; readonly sentAt: number; readonly endsAt: number },
) {
  const id = newToken();
  const key_version = keyring.current;
  return {
    ...ownerColumns(owner),
    id,
    code_mac: code === undefined ? NO_CODE : codeMac(keyring, key_version, owner, id, code),
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
  /** The browser whose codes are selected (`=`), or the only browser whose codes aren't (`<>`), by its token. */
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
