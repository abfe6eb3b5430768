import { GroupCommit } from "./group-commit.server";
import { openSqliteFile } from "./sqlite-file.server";
import { migrateSqlite } from "./sqlite-migrations.server";
import type { Store } from "./store.server";
import { failLoudly } from "./work.server";
import { Writability, tryWriting } from "./writability.server";

/**
 * Opens the SQLite store and brings its tables up to date.
 * @param report told of after-commit actions that fail
 * @throws StartRefusal if the file belongs to another program or a later version of the portal
 */
export async function openSqliteStore(file: string, report = failLoudly): Promise<Store> {
  const db = openSqliteFile(file);
  await migrateSqlite(db).catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });
  const group = new GroupCommit(db, report);
  const writability = new Writability();
  return {
    read: db,
    write: (work) => writability.watch(group.run(work)),
    check: async () => {
      writability.requireNoRefusal();
      await group.run(tryWriting);
    },
    close: async () => {
      await group.settled();
      await db.destroy();
    },
  };
}
