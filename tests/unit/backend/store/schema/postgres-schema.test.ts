import { expect, it } from "vitest";
import { MIGRATION_NAMES } from "~/backend/store/migrations/run.server";
import { PREVIOUS_RELEASE_MIGRATION } from "~/backend/store/previous-release.server";
import { MIGRATED_POSTGRES, schemaOfPostgres } from "~/backend/store/schema/postgres-schema.server";
import { asOwner } from "~/backend/store/postgres-roles.server";
import { databaseSettings, type PostgresSettings } from "~/platform/config/database-settings.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { hasPostgres, makeDatabase } from "../../../../database";
import { makeTablesUpTo } from "../previous-release";
import { barePlace } from "../../test-place";

const FILE = "../../../../../app/backend/store/schema/postgres-schema.json";

function schemaAt(url: string) {
  const reading = readEnvironment({ DATABASE_URL: url });
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  return asOwner(
    databaseSettings(reading.environment) as PostgresSettings,
    () => undefined,
    schemaOfPostgres,
  );
}

it.runIf(hasPostgres)("the kept schema of PostgreSQL is the one that the migrations make", async () => {
  const { url } = await makeDatabase();
  const objects = Object.fromEntries(
    [...(await schemaAt(url))].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  await expect(`${JSON.stringify(objects, undefined, 2)}\n`).toMatchFileSnapshot(FILE);
});

it.runIf(hasPostgres)(
  "the names of all objects since the previous release are known, so that its backups can be restored",
  async () => {
    for (const migration of MIGRATION_NAMES.slice(MIGRATION_NAMES.indexOf(PREVIOUS_RELEASE_MIGRATION))) {
      const place = await barePlace("postgres");
      await makeTablesUpTo(place, migration);
      const unknown = [...(await schemaAt(place.on?.url ?? "")).keys()].filter(
        (name) => !MIGRATED_POSTGRES.has(name),
      );
      expect(unknown, migration).toEqual([]);
    }
  },
);
