import { sql } from "kysely";
import { SECOND } from "../../clock.server";
import type { Parts } from "../../parts.server";
import { newToken, tokenHash } from "../../secrets/keyed-hashes.server";
import type { Reader, Tx } from "../../store/store.server";
import { codeMac, type CodeOwner } from "./code-owner.server";

/** The key columns of an owner's code: there is one row for each owner. */
export function ownerColumns({ browser, subject, purpose }: CodeOwner) {
  return { browser_hash: tokenHash(browser), subject, purpose };
}

/** Locks the browser's code, if there is one, until the end of the transaction, so that confirms wait. */
export async function lockCode(tx: Tx, owner: CodeOwner): Promise<void> {
  await tx
    .selectFrom("codes")
    .select("id")
    .where((eb) => eb.and(ownerColumns(owner)))
    .forNoKeyUpdate()
    .execute();
}

/** How recent a code must be to stop another from being sent (both in ms). */
interface Freshness {
  readonly now: number;
  readonly freshFor: number;
}

/** Whether the browser has a valid code sent less than `freshFor` ago. */
export async function hasFreshCode(
  reader: Reader,
  owner: CodeOwner,
  { now, freshFor }: Freshness,
): Promise<boolean> {
  const { browser_hash, subject, purpose } = ownerColumns(owner);
  const fresh = await reader
    .selectFrom("codes")
    .select("id")
    .where((eb) => eb.and({ browser_hash, subject, purpose, state: "open" }))
    .where("ends_at", ">", now)
    .where("sent_at", ">", now - freshFor)
    .executeTakeFirst();
  return fresh !== undefined;
}

/**
 * Replaces the browser's last code unless that is fresh, and returns whether it did: of two at once, only one does. Wrong
 * tries for an open code carry over to the new one; after a blocked or used code they start from zero. If no code is
 * given, the row gets one that no six digits match.
 */
export async function putCode(
  tx: Tx,
  parts: Parts,
  owner: CodeOwner,
  { code, now, freshFor }: Freshness & { readonly code: string | undefined },
): Promise<boolean> {
  const id = newToken();
  const version = parts.keyring.current;
  const values = {
    ...ownerColumns(owner),
    id,
    code_mac: code === undefined ? newToken() : codeMac(parts.keyring, version, owner, id, code),
    key_version: version,
    state: "open" as const,
    sent_at: now,
    ends_at: now + parts.limits.CODE_LIFETIME_SECONDS * SECOND,
    tries: 0,
    refusals: 0,
    used_at: null,
    payload_mac: null,
  };
  const kept = (count: "codes.tries" | "codes.refusals") =>
    sql<number>`case when codes.state = 'open' then ${sql.ref(count)} else 0 end`;
  const written = await tx
    .insertInto("codes")
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(["browser_hash", "subject", "purpose"])
        .doUpdateSet({ ...values, tries: kept("codes.tries"), refusals: kept("codes.refusals") })
        .where((eb) =>
          eb.or([
            eb("codes.state", "<>", "open"),
            eb("codes.ends_at", "<=", now),
            eb("codes.sent_at", "<=", now - freshFor),
          ]),
        ),
    )
    .returning("id")
    .executeTakeFirst();
  return written !== undefined;
}

/** Marks the browser's code as just sent, without extending its life. */
export async function countAsSent(tx: Tx, owner: CodeOwner, now: number): Promise<void> {
  await tx
    .updateTable("codes")
    .set({ sent_at: now })
    .where((eb) => eb.and({ ...ownerColumns(owner), state: "open" }))
    .execute();
}
