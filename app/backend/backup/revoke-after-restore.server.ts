import { sql } from "kysely";
import { audit, type StaffSource } from "../audit/audit-event.server";
import { endWaiting } from "../messages/message-rows.server";
import { unmarkRestore } from "../store/require-tables.server";
import type { Store, Tx } from "../store/store.server";

/** Tables of everything that was going on in the backup. It may have ended since, and must not come back. */
export const GOING_ON = [
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

/** How many of each were ended. */
export type Ended = Readonly<Record<(typeof GOING_ON)[number] | "messages", number>> & {
  /** Only if that was asked for. */
  readonly recovery_codes?: number;
};

/** How a restored database is ended. */
export interface Ending {
  readonly source: StaffSource;
  /** In ms. */
  readonly now: number;
  /** Whether recovery codes end, too: one that a customer has replaced since would work again. */
  readonly recoveryCodes: boolean;
  /** Why the backup was not proven to be this portal's, if the operator has accepted that; for the audit. */
  readonly accepted?: string | undefined;
}

/**
 * Ends everything that was going on in a restored database, as the owner of the tables, and audits that. Afterwards
 * portals may open the database.
 */
export async function endEverything(store: Store, ending: Ending): Promise<Ended> {
  const { source, now, recoveryCodes } = ending;
  return store.write(async (tx) => {
    if (tx.isPostgres) await moveSequence(tx);
    const ended: Record<string, number> = {};
    for (const table of GOING_ON) {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)}`.execute(tx);
      ended[table] = Number(numAffectedRows ?? 0);
    }
    ended["messages"] = await endWaiting(tx);
    if (recoveryCodes) ended["recovery_codes"] = await endRecoveryCodes(tx);
    await audit(tx, source, now, { event: "database-restored", reason: reasonOf(ending) });
    if (tx.isPostgres) await unmarkRestore(tx);
    return ended as Ended;
  });
}

/** Apps and passkeys stay: without them, the customer's password and SMS would be enough. */
async function endRecoveryCodes(tx: Tx): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("factor_settings")
    .set({ recovery_sealed: null, recovery_set_at: null })
    .where("recovery_sealed", "is not", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The operator's reason, and what the operator chose. */
function reasonOf({ source, recoveryCodes, accepted }: Ending): string | undefined {
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
