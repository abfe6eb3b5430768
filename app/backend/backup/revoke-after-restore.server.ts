import { sql } from "kysely";
import { audit, type StaffSource } from "../audit/audit-event.server";
import { endWaiting } from "../messages/message-rows.server";
import { withDatabase } from "../store/portal-database.server";
import { unmarkRestore } from "../store/require-tables.server";
import type { Store, Tx } from "../store/store.server";

/** Tables of live state (sessions, codes, devices). It may have ended since the backup, and must not come back. */
export const REVOKED_ON_RESTORE = [
  "prepared_factors",
  "sessions",
  "trusted_devices",
  "known_browsers",
  "login_passes",
  "codes",
  "passkey_challenges",
  "passkey_sign_ins",
  "outbox",
  "staff_requests",
  "announcements",
] as const;

/** How many rows of each table were revoked. */
export type RevokedCounts = Readonly<Record<(typeof REVOKED_ON_RESTORE)[number] | "messages", number>> & {
  /** Only if recovery codes were revoked, too. */
  readonly recovery_codes?: number;
};

/** What to revoke in a restored database, and who does it. */
export interface Revocation {
  readonly source: StaffSource;
  /** In ms. */
  readonly now: number;
  /** Whether to revoke recovery codes, too: otherwise a code that was replaced since the backup works again. */
  readonly recoveryCodes: boolean;
  /** Why the backup was not proven to be this portal's, if the operator has accepted that; for the audit. */
  readonly accepted?: string | undefined;
}

/**
 * Revokes the live state of a database that other tools restored, as the owner of the tables. Portals may open it
 * afterwards.
 * @throws StartRefusal if there is no database or the keys don't belong to it
 */
export function revokeAfterRestore(revocation: Revocation): Promise<RevokedCounts> {
  return withDatabase("owner", (store) => revokeLiveState(store, revocation));
}

/** Revokes the live state of a restored database and audits that, in one transaction. */
export async function revokeLiveState(store: Store, revocation: Revocation): Promise<RevokedCounts> {
  const { source, now, recoveryCodes } = revocation;
  return store.write(async (tx) => {
    if (tx.isPostgres) await moveSequence(tx);
    const revoked: Record<string, number> = {};
    for (const table of REVOKED_ON_RESTORE) {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)}`.execute(tx);
      revoked[table] = Number(numAffectedRows ?? 0);
    }
    revoked["messages"] = await endWaiting(tx);
    if (recoveryCodes) revoked["recovery_codes"] = await revokeRecoveryCodes(tx);
    await audit(tx, source, now, { event: "database-restored", reason: reasonOf(revocation) });
    if (tx.isPostgres) await unmarkRestore(tx);
    return revoked as RevokedCounts;
  });
}

/** Apps and passkeys stay: without them, the customer's password and SMS would be enough. */
async function revokeRecoveryCodes(tx: Tx): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("factor_settings")
    .set({ recovery_sealed: null, recovery_set_at: null })
    .where("recovery_sealed", "is not", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The operator's reason, and the options that weaken or widen the restore. */
function reasonOf({ source, recoveryCodes, accepted }: Revocation): string | undefined {
  const chosen = [
    ...(accepted === undefined ? [] : [`accepted although not proven to be this portal's: ${accepted}`]),
    ...(recoveryCodes ? ["all recovery codes ended"] : []),
  ];
  return chosen.length === 0 ? undefined : [source.act.reason, ...chosen].join("; ");
}

/** Tools that restore only rows leave the sequence behind. New events would then get numbers that are already taken. */
async function moveSequence(tx: Tx): Promise<void> {
  await sql`
    select setval('audit_events_seq', taken.last)
    from (select greatest(
        (select max(seq) from audit_events),
        (select max(through_seq) from audit_seals),
        (select max(through_seq) from audit_archives)) as last) as taken, audit_events_seq
    where taken.last > 0 and (taken.last > audit_events_seq.last_value or not audit_events_seq.is_called)`.execute(
    tx,
  );
}
