import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { PREVIOUS_RELEASE_MIGRATION } from "~/backend/store/previous-release.server";
import { MIGRATION_NAMES } from "~/backend/store/migrations/run.server";
import { migratedSqlite } from "~/backend/store/schema/sqlite-schema.server";

it("[S158] the baseline makes the schema of existing SQLite files, token by token", async () => {
  const names = MIGRATION_NAMES.slice(0, MIGRATION_NAMES.indexOf(PREVIOUS_RELEASE_MIGRATION) + 1);
  const objects = [...(await migratedSqlite(names))].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const hash = createHash("sha256").update(JSON.stringify(objects)).digest("base64url");
  expect(hash).toBe("-iyA6qgN4CK-gy1AQvzdeur4KxE5cpNd6RQplQCjUTs");
});
