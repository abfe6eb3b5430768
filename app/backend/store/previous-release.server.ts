import { sql } from "kysely";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import type { Reader } from "./store.server";

/*
 * The previous release. It may serve beside us, and we bring its tables up to date. Older tables we refuse:
 * code for them is gone (docs/decisions/releases.md).
 */

/** Its name, as in CHANGELOG.md. */
export const PREVIOUS_RELEASE = "2026-11-28-efca9311924d";

/** The newest migration of the previous release. */
export const PREVIOUS_RELEASE_MIGRATION = "0025-policy-changes";

/** Hash columns that the previous release fills in older rows, with its keys, and the columns that are hashed. */
const FILLED_BY_PREVIOUS_RELEASE = [
  ["customers", "name_index", "name_sealed"],
  ["customers", "phone_index", "phone_sealed"],
  ["customers", "new_phone_index", "new_phone_sealed"],
  ["customers", "email_index", "email_sealed"],
] as const;

/**
 * Tables that nothing but the previous release uses: its help desk joins them. The next release drops them.
 * @for-release 2026-11-28-efca9311924d
 */
export const TO_DROP = ["sms_queue", "mail_queue"] as const;

/** Tells operators that the tables, or the tables in a backup, are too old for this release. */
export const TOO_OLD = `the tables are of a release before ${PREVIOUS_RELEASE}, which this one can't read: first bring them up to date with ${PREVIOUS_RELEASE} (docs/operations/upgrade.md)`;

/** @throws StartRefusal if the previous release has not filled all rows yet: the help desk could not look these customers up */
export async function requireFilled(db: Reader): Promise<void> {
  for (const [table, column, of] of FILLED_BY_PREVIOUS_RELEASE) {
    const unfilled = sql`select 1 from ${sql.table(table)}
      where ${sql.ref(column)} is null and ${sql.ref(of)} is not null limit 1`;
    if ((await unfilled.execute(db)).rows.length > 0)
      throw new StartRefusal(
        `${PREVIOUS_RELEASE} has not filled ${table}.${column} everywhere: run its portal rewrap-keys first (docs/operations/upgrade.md)`,
      );
  }
}
