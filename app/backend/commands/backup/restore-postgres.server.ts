import type { Readable } from "node:stream";
import { sql } from "kysely";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "../../clock.server";
import { archivesOf } from "../../services/audit/archives.server";
import type { AuditSource } from "../../services/audit/write-event.server";
import { StartRefusal } from "../../start-refusal.server";
import { asOwner } from "../../store/postgres-roles.server";
import { isPortalServing } from "../../store/serving-portals.server";
import { tableUpkeep } from "../../store/table-upkeep.server";
import { Nonsense } from "../kit/exit-code.server";
import { portalKeyring, withOwnDatabase } from "../kit/portal-database.server";
import { endEverything, type Restored } from "./end-everything.server";
import { restoreDatabase } from "./postgres-tools.server";

/**
 * Restores into an empty database as the tables' owner, in one transaction, then ends what was going on.
 * @throws Nonsense if the database is not empty; UnreadableBackup; StartRefusal, also while a portal is connected
 */
export async function restorePostgres(
  settings: PostgresSettings,
  backup: Readable,
  source: AuditSource,
): Promise<Restored> {
  await checkUnused(settings);
  // Without the keys the tables would be of no use.
  portalKeyring();
  await restoreDatabase(settings, backup);
  try {
    // The backup may be of an earlier release.
    await tableUpkeep(settings, environment().DATA_DIR).run();
    return await withOwnDatabase(async (store) => ({
      ended: await endEverything(store, source, systemClock()),
      archives: (await archivesOf(store.read)).map(({ file }) => file),
    }));
  } catch (error) {
    const [reason = ""] = error instanceof Error ? error.message.split("\n") : ["unknown"];
    throw new StartRefusal(
      `the tables are back, but what was going on in them is not ended: ${reason}; before a portal starts, run portal restore --after-restore`,
    );
  }
}

/** A portal that waits for tables would open the restored ones before everything in them has ended. */
function checkUnused(settings: PostgresSettings): Promise<void> {
  const tables = sql`select from pg_class where relnamespace = current_schema()::regnamespace limit 1`;
  return asOwner(
    settings,
    () => undefined,
    async (owner) => {
      if ((await tables.execute(owner)).rows.length > 0)
        throw new Nonsense(
          "--input: the database is not empty: stop every portal, and make an empty one first",
        );
      if (await isPortalServing(owner, environment().DATA_DIR))
        throw new StartRefusal("a portal is connected to the database: stop every portal first");
    },
  );
}
