import { sql } from "kysely";
import { audit, type AuditSource } from "../../audit-event.server";
import { unmarkRestore } from "../../store/require-tables.server";
import type { Store, Tx } from "../../store/store.server";

/** What was going on when the backup was made. It may have ended since, and must not come back. */
const GOING_ON = [
  "sessions",
  "trusted_devices",
  "known_browsers",
  "login_passes",
  "codes",
  "sms_queue",
  "outbox",
] as const;

/** How many of each were ended. */
export type Ended = Readonly<Record<(typeof GOING_ON)[number], number>>;

export interface Restored {
  readonly ended: Ended;
  /** The archives of the audit that the database names. */
  readonly archives: readonly string[];
  /** The file with the database that was replaced. */
  readonly kept?: string | undefined;
}

/**
 * Ends everything that was going on in a restored database, as the owner of the tables, and audits that. Afterwards
 * portals may open the database.
 */
export async function endEverything(store: Store, source: AuditSource, now: number): Promise<Ended> {
  return store.write(async (tx) => {
    if (tx.isPostgres) await moveSequence(tx);
    const ended: Record<string, number> = {};
    for (const table of GOING_ON) {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)}`.execute(tx);
      ended[table] = Number(numAffectedRows ?? 0);
    }
    await audit(tx, source, now, { event: "database-restored" });
    if (tx.isPostgres) await unmarkRestore(tx);
    return ended as Ended;
  });
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
