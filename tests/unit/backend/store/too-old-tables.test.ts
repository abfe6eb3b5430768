import { describe, expect, it } from "vitest";
import { MIGRATION_NAMES } from "~/backend/store/migrations/run.server";
import { PREVIOUS_RELEASE_MIGRATION } from "~/backend/store/previous-release.server";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { onEachDatabase, type DatabaseKind } from "../../../database";
import { runCommand } from "../../../operator-command";
import { makeTablesBefore, makeTablesUpTo } from "./previous-release";
import { openTestBackend } from "../test-backend";
import { barePlace, variablesOf, type Place } from "../test-place";

const TOO_OLD =
  "the tables are of a release before 2026-11-28-efca9311924d, which this one can't read: first bring them up to date with 2026-11-28-efca9311924d (docs/operations/upgrade.md)";
const NOT_FILLED =
  "2026-11-28-efca9311924d has not filled customers.name_index everywhere: run its portal rewrap-keys first (docs/operations/upgrade.md)";

const BEFORE_THAT = MIGRATION_NAMES[MIGRATION_NAMES.indexOf(PREVIOUS_RELEASE_MIGRATION) - 1] ?? "";

/** Every way to bring tables up to date, and every other command that reads them. Returns what each says. */
async function answersOn(place: Place): Promise<readonly string[]> {
  const said = ["migrate", "migrate --check", "migrate --dry-run"].map(async (words) => {
    const { code, stdout, stderr } = await runCommand(variablesOf(place), words.split(" "));
    return `${code} ${stdout}${stderr}`;
  });
  const start: unknown = await openTestBackend({ place }).then(
    (way) => way.close(),
    (error: unknown) => error,
  );
  return [...(await Promise.all(said)), start instanceof StartRefusal ? start.message : "it starts"];
}

async function placeWithRows(kind: DatabaseKind, make: (place: Place) => Promise<void>): Promise<Place> {
  const place = await barePlace(kind);
  await make(place);
  await place.query(
    `insert into customers (id, kind, name_sealed, phone_sealed, pid_sealed, pid_index, pid_compared_index)
    values ('zofia', 'individual', '1.name', '1.phone', '1.pid', '1.index', '1.index')`,
  );
  await place.query(
    `insert into policies (policy_no, customer_id, name, valid_from, valid_to)
    values ('POL-1', 'zofia', 'Dom', '2026-01-01', '2026-12-31')`,
  );
  return place;
}

const everything = async (place: Place) => [
  await place.query("select name from kysely_migration order by name"),
  await place.query("select * from customers"),
  await place.query("select * from policies"),
];

onEachDatabase((kind) => {
  describe("[S117] tables older than the previous release", () => {
    it("are refused by migrate and by a portal, which name the release to go through, and stay", async () => {
      const place = await placeWithRows(kind, (bare) => makeTablesUpTo(bare, BEFORE_THAT));
      const before = await everything(place);
      const refused = `1 portal: ${TOO_OLD}\n`;
      expect(await answersOn(place)).toEqual([refused, refused, refused, TOO_OLD]);
      expect((await runCommand(variablesOf(place), ["doctor"])).stdout).toContain(TOO_OLD);
      expect(await everything(place)).toEqual(before);
    });
  });

  describe("[S117] tables of the previous release", () => {
    it("are refused while it has not filled its own columns, without which customers would not be found", async () => {
      const place = await placeWithRows(kind, makeTablesBefore);
      const before = await everything(place);
      const refused = `1 portal: ${NOT_FILLED}\n`;
      expect((await answersOn(place)).slice(0, 3)).toEqual([refused, refused, refused]);
      expect(await everything(place)).toEqual(before);
      await place.query("update customers set name_index = '1.name', phone_index = '1.phone'");
      const { code, stdout } = await runCommand(variablesOf(place), ["migrate"]);
      expect([code, stdout]).toEqual([0, "ran:\n  - 0026-former-queues\n"]);
    });

    it("are refused while a new number or an e-mail address is not filled, unless there is none", async () => {
      const place = await placeWithRows(kind, makeTablesBefore);
      await place.query("update customers set name_index = '1.name', phone_index = '1.phone'");
      const refusal = async () => (await runCommand(variablesOf(place), ["migrate", "--dry-run"])).stderr;
      for (const value of ["email", "new_phone"]) {
        await place.query(`update customers set ${value}_sealed = '1.value'`);
        expect(await refusal()).toContain(`customers.${value}_index`);
        await place.query(`update customers set ${value}_index = '1.hash'`);
        expect(await refusal()).toBe("");
      }
    });
  });
});
