import { doneMigrations, MIGRATION_NAMES } from "../store/migrations/run.server";
import { MIGRATED_POSTGRES, schemaOfPostgres } from "../store/schema/postgres-schema.server";
import { compareSchemas, differenceInWords } from "../store/schema/schema-objects.server";
import { migratedSqlite, schemaOfSqlite } from "../store/schema/sqlite-schema.server";
import { type Check, ok, problem, warning } from "./check.server";

/** Whether the database holds what the migrations make and nothing else, such as a foreign trigger (S158). */
export const SCHEMA_CHECK: Check = {
  name: "schema",
  only: "embedded",
  needs: ["tables"],
  run: async ({ db }) => {
    const [found, expected] = db().isPostgres
      ? [await schemaOfPostgres(db()), MIGRATED_POSTGRES]
      : [await schemaOfSqlite(db()), await migratedSqlite(MIGRATION_NAMES)];
    const difference = differenceInWords(compareSchemas(found, expected));
    if (difference === undefined) return ok("it is what the migrations make");
    const later = (await doneMigrations(db())).filter((name) => !MIGRATION_NAMES.includes(name));
    return later.length > 0
      ? warning(
          `a later release has run ${later.join(", ")}, and only its doctor can judge this: ${difference}`,
        )
      : problem(`${difference}: find out who did that, and undo it`);
  },
};
