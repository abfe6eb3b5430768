import type { Readable } from "node:stream";
import { sql } from "kysely";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { archivesOf } from "../../services/audit/archives.server";
import type { AuditSource } from "../../audit-event.server";
import { reasonOf, StartRefusal } from "../../start-refusal.server";
import { asOwner } from "../../store/postgres-roles.server";
import { isPortalServing } from "../../store/serving-portals.server";
import { RESTORE_MARK, markRestore, unmarkRestore } from "../../store/require-tables.server";
import type { Reader } from "../../store/store.server";
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
  // Fail early: without the keys the tables would be useless.
  portalKeyring();
  await asOwner(
    settings,
    () => undefined,
    async (owner) => {
      await requireUnused(owner);
      await markRestore(owner);
    },
  );
  await restoreDatabase(settings, backup).catch(async (error: unknown) => {
    // If the database is away, the mark stays: portals wait, and the restore can be run again.
    await asOwner(settings, () => undefined, unmarkRestore).catch(() => undefined);
    throw error;
  });
  try {
    // The backup may be from an earlier release.
    await tableUpkeep(settings, environment().DATA_DIR).run();
    return await withOwnDatabase(async (store) => ({
      ended: await endEverything(store, source, systemClock()),
      archives: (await archivesOf(store.read)).map(({ file }) => file),
    }));
  } catch (error) {
    throw new StartRefusal(
      `the tables are back, but what was going on in them is not ended: ${reasonOf(error)}; before a portal starts, run portal restore --after-restore`,
    );
  }
}

/** Checks that the database is empty and no portal is connected. Ignores the mark of an interrupted restore. */
async function requireUnused(owner: Reader): Promise<void> {
  const { rows } = await sql`select from pg_class
    where relnamespace = current_schema()::regnamespace and relname <> ${RESTORE_MARK} limit 1`.execute(
    owner,
  );
  if (rows.length > 0)
    throw new Nonsense("--input: the database is not empty: stop every portal, and make an empty one first");
  if (await isPortalServing(owner, environment().DATA_DIR))
    throw new StartRefusal("a portal is connected to the database: stop every portal first");
}
