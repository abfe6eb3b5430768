import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { archiveMonths } from "~/backend/services/audit/archive-months.server";
import { eraseEvents, eraseFromArchives } from "~/backend/services/audit/erase-events.server";
import { archivedEvents } from "~/backend/services/audit/find-events.server";
import { onEachDatabase } from "../../../database";
import { NOON } from "../test-backend";
import { openSealedAudit, type SealedAudit } from "./sealed-audit";

const HOUR = 3_600_000;
const [MARCH, APRIL] = [Date.UTC(2024, 2, 31, 23), Date.UTC(2024, 3, 2)];

/** Three events of March, two of April, and those of the portal; all but the last are sealed. */
async function openOldAudit(kind: "sqlite" | "postgres") {
  const audit = await openSealedAudit(kind);
  await audit.way.change("delete from audit_events");
  await audit.write(3, { at: MARCH });
  await audit.write(2, { at: APRIL, accountId: "jan" });
  await audit.write(1, { at: NOON });
  await audit.seal();
  const { store, keyring, folder } = audit;
  const archive = (keepMonths = 24, now = NOON) => archiveMonths(store, keyring, { folder, keepMonths, now });
  return { ...audit, archive };
}

const files = ({ folder }: Pick<SealedAudit, "folder">) => readdirSync(folder).sort();
const inDatabase = async ({ way }: SealedAudit) =>
  Number((await way.query("select count(*) as n from audit_events"))[0]?.n);

onEachDatabase((kind) => {
  describe("archived months of the audit", () => {
    it("are files for their owner only, are gone from the database, and verify", async () => {
      const audit = await openOldAudit(kind);
      const archived = await audit.archive();
      expect(archived.map(({ month, events }) => [month, events])).toEqual([
        ["2024-03", 3],
        ["2024-04", 2],
      ]);
      expect(files(audit)).toEqual(["audit-2024-03.jsonl.gz", "audit-2024-04.jsonl.gz"]);
      expect(statSync(join(audit.folder, "audit-2024-03.jsonl.gz")).mode & 0o777).toBe(0o600);
      expect(await inDatabase(audit)).toBe(1);
      expect(await audit.verify()).toMatchObject({ events: 6, unsealed: 0, findings: [] });
      expect(await audit.archive()).toEqual([]);
    });

    it("leave so many whole months in the database, and not one more", async () => {
      const audit = await openOldAudit(kind);
      const inMay2026 = Date.UTC(2026, 4, 1);
      expect(await audit.archive(24, inMay2026 - HOUR)).toMatchObject([{ month: "2024-03" }]);
      expect(await audit.archive(24, inMay2026)).toMatchObject([{ month: "2024-04" }]);
    });

    it("wait until their events are sealed", async () => {
      const audit = await openOldAudit(kind);
      await audit.write(1, { at: MARCH + 10 });
      expect(await audit.archive()).toEqual([]);
      await audit.seal();
      expect(await audit.archive()).toMatchObject([{ month: "2024-03" }, { month: "2024-04" }]);
      expect(await audit.verify()).toMatchObject({ events: 7, findings: [] });
    });

    it("take an event that comes too late for its own month", async () => {
      const audit = await openOldAudit(kind);
      await audit.archive();
      await audit.write(1, { at: MARCH });
      await audit.seal();
      const inJune = NOON + 24 * 31 * 24 * HOUR;
      expect(await audit.archive(1, inJune)).toMatchObject([{ month: "2026-11", events: 2 }]);
      expect(await audit.verify()).toMatchObject({ events: 7, findings: [] });
    });

    it("are finished by the next run if the first was interrupted before the events were deleted", async () => {
      const audit = await openOldAudit(kind);
      const rows = await audit.way.query("select * from audit_events where happened_at < ?", APRIL);
      await audit.archive();
      for (const row of rows) {
        const columns = Object.keys(row);
        await audit.way.change(
          `insert into audit_events (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
          ...Object.values(row),
        );
      }
      expect(await audit.verify()).toMatchObject({ events: 6, findings: [] });
      await audit.archive();
      expect(await inDatabase(audit)).toBe(1);
      expect(await audit.verify()).toMatchObject({ events: 6, findings: [] });
    });

    it.each([
      ["missing", (file: string) => rmSync(file), "cannot be read"],
      [
        "changed",
        (file: string) => {
          const text = gunzipSync(readFileSync(file)).toString();
          writeFileSync(file, gzipSync(text.replace("anna", "jan0")));
        },
        "was changed",
      ],
      ["cut off", (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 50)), "was changed"],
    ] as const)(
      "[S95] show that a file is %s, and the rest is verified all the same",
      async (_what, tamper, finding) => {
        const audit = await openOldAudit(kind);
        await audit.archive();
        tamper(join(audit.folder, "audit-2024-03.jsonl.gz"));
        const { findings } = await audit.verify();
        expect(findings).toHaveLength(1);
        expect(findings[0]).toContain("archive 2024-03");
        expect(findings[0]).toContain(finding);
        await audit.way.change("update audit_archives set events = 9 where month = '2024-04'");
        expect((await audit.verify()).findings.join("\n")).toContain("archive 2024-04");
      },
    );

    it("[S91] lose a person who is erased, in files and database, and verify as before", async () => {
      const audit = await openOldAudit(kind);
      const { store, keyring, folder } = audit;
      await audit.archive();
      await audit.write(2, { at: NOON });
      const anna = { accountId: "anna", subjects: [] };
      await audit.seal();
      expect(await eraseFromArchives(store, keyring, folder, anna)).toBe(3);
      expect(await store.write((tx) => eraseEvents(tx, keyring, anna))).toBe(3);
      expect(files(audit)).toEqual(["audit-2024-03.2.jsonl.gz", "audit-2024-04.jsonl.gz"]);
      const texts = files(audit).map((file) => gunzipSync(readFileSync(join(folder, file))).toString());
      expect(texts.join("").includes("anna")).toBe(false);
      expect(await audit.way.query("select id from audit_events where account_id = 'anna'")).toEqual([]);
      expect(await audit.verify()).toMatchObject({ events: 8, unsealed: 0, findings: [] });
      expect(await eraseFromArchives(store, keyring, folder, anna)).toBe(0);
    });

    it("are read by their account", async () => {
      const audit = await openOldAudit(kind);
      await audit.archive();
      const of: string[] = [];
      for await (const { account_id } of archivedEvents(audit.store.read, audit.folder, { accountId: "jan" }))
        of.push(account_id ?? "");
      expect(of).toEqual(["jan", "jan"]);
    });
  });
});
