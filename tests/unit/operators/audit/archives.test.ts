import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { archiveMonths } from "~/backend/audit/archive-months.server";
import { ArchivesChanged, eraseEvents, eraseFromArchives } from "~/backend/audit/erase-events.server";
import { archivedEvents } from "~/backend/audit/find-events.server";
import { onAnyDatabase, onRacingDatabase } from "../../../database";
import { bySupport } from "../account/help-desk";
import { NOON, fifty } from "../../backend/test-backend";
import { openSealedAudit, type SealedAudit } from "./sealed-audit";

const HOUR = 3_600_000;
const [MARCH, APRIL] = [Date.UTC(2024, 2, 31, 23), Date.UTC(2024, 3, 2)];

/** Three events of March 2024, two of the April after it, and a new one; all are sealed. */
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
const MARCH_FILE = /^audit-2024-03-[0-9a-f]{8}\.jsonl\.gz$/;
const fileOfMarch = (audit: SealedAudit) =>
  join(audit.folder, files(audit).find((file) => MARCH_FILE.test(file)) ?? "missing");
/** The text of all archives. */
const textOf = (audit: SealedAudit) =>
  files(audit)
    .map((file) => gunzipSync(readFileSync(join(audit.folder, file))).toString())
    .join("");
const inDatabase = async ({ way }: SealedAudit) =>
  Number((await way.query("select count(*) as n from audit_events"))[0]?.n);

onAnyDatabase((kind) => {
  describe("archived months of the audit", () => {
    it("are files for their owner only, are gone from the database, and verify", async () => {
      const audit = await openOldAudit(kind);
      const archived = await audit.archive();
      expect(archived.map(({ month, events }) => [month, events])).toEqual([
        ["2024-03", 3],
        ["2024-04", 2],
      ]);
      expect(files(audit)).toEqual([
        expect.stringMatching(MARCH_FILE),
        expect.stringMatching(/^audit-2024-04-/),
      ]);
      expect(statSync(fileOfMarch(audit)).mode & 0o777).toBe(0o600);
      expect(await inDatabase(audit)).toBe(1);
      expect(await audit.verify()).toMatchObject({ events: 6, unsealed: 0, findings: [] });
      expect(await audit.archive()).toEqual([]);
    });

    it("leave the configured number of whole months in the database, and no more", async () => {
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

    it("take in an event that comes too late for its own month", async () => {
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

    it("[S95] show that a file is missing or was changed, and the rest is verified all the same", async () => {
      const audit = await openOldAudit(kind);
      await audit.archive();
      const file = fileOfMarch(audit);
      const text = gunzipSync(readFileSync(file)).toString();
      for (const [tamper, finding] of [
        [() => writeFileSync(file, gzipSync(text.replace("anna", "jan0"))), "was changed"],
        [() => rmSync(file), "cannot be read"],
      ] as const) {
        tamper();
        const { findings } = await audit.verify();
        expect(findings).toEqual([expect.stringMatching(`archive 2024-03.*${finding}`)]);
      }
      await audit.way.change("update audit_archives set events = 9 where month = '2024-04'");
      expect((await audit.verify()).findings.join("\n")).toContain("archive 2024-04");
    });

    it("[S95] show a forged copy of an archived event in the database", async () => {
      const audit = await openOldAudit(kind);
      const [event] = await audit.way.query("select seq, id from audit_events order by seq, id limit 1");
      await audit.archive();
      await audit.way.change(
        `insert into audit_events (seq, id, happened_at, event, account_id, address, request_id)
        values (?, ?, ?, 'signed-out', 'forged', '', '')`,
        event?.["seq"],
        event?.["id"],
        MARCH,
      );
      expect((await audit.verify()).findings.join("\n")).toContain("6 sealed, 7 found");
    });

    it("[S95] show that all seals were removed", async () => {
      const audit = await openOldAudit(kind);
      await audit.archive();
      await audit.way.change("delete from audit_seals");
      expect((await audit.verify()).findings).toEqual([expect.stringContaining("seals are missing")]);
    });

    it("are written even if the clock of one event was far ahead", async () => {
      const audit = await openOldAudit(kind);
      await audit.way.change(
        "update audit_events set happened_at = ? where seq = (select min(seq) from audit_events)",
        Date.UTC(2094, 0, 1),
      );
      expect(await audit.archive()).toMatchObject([{ month: "2024-03", events: 2 }, { month: "2024-04" }]);
    });

    it("[S91] lose an erased person in files and database, and still verify", async () => {
      const audit = await openOldAudit(kind);
      const { store, keyring, folder } = audit;
      await audit.archive();
      await audit.write(2, { at: NOON });
      const anna = { accountId: "anna", subjects: [] };
      await audit.seal();
      const months: string[] = [];
      const onArchive = (month: string) => void months.push(month);
      const erasing = { of: anna, source: bySupport(), now: NOON, onArchive };
      const inFiles = await eraseFromArchives(store, keyring, folder, erasing);
      expect(inFiles).toEqual({ events: 3, files: files(audit) });
      expect(months).toEqual(["2024-03", "2024-04"]);
      expect(await store.write((tx) => eraseEvents(tx, keyring, anna, inFiles.files))).toBe(3);
      expect(textOf(audit).includes("anna")).toBe(false);
      expect(await audit.way.query("select id from audit_events where account_id = 'anna'")).toEqual([]);
      // Each rewritten file is an event, too.
      expect(await audit.verify()).toMatchObject({ events: 9, unsealed: 1, findings: [] });
      expect(await eraseFromArchives(store, keyring, folder, erasing)).toMatchObject({ events: 0 });
    });

    it("[S91] stop an erasure that has not searched them all", async () => {
      const audit = await openOldAudit(kind);
      await audit.archive();
      const erasing = audit.store.write((tx) =>
        eraseEvents(tx, audit.keyring, { accountId: "anna", subjects: [] }, []),
      );
      await expect(erasing).rejects.toThrow(ArchivesChanged);
    });

    it("are rid of files that an interrupted run began, and leave all others alone", async () => {
      const audit = await openOldAudit(kind);
      mkdirSync(audit.folder, { recursive: true });
      const strays = ["audit-2024-01-00000000.jsonl.gz", "audit-2024-01-00000001.jsonl.gz.draft"];
      for (const stray of [...strays, "audit-2024-01-00000002.jsonl.gz.draft", "notes.txt"])
        writeFileSync(join(audit.folder, stray), "");
      for (const stray of [...strays, "notes.txt"]) utimesSync(join(audit.folder, stray), 0, 0);
      await audit.archive(24, Date.now());
      expect(
        files(audit)
          .filter((file) => !file.startsWith("audit-2024-0"))
          .sort(),
      ).toEqual(["notes.txt"]);
      expect(files(audit)).toContain("audit-2024-01-00000002.jsonl.gz.draft");
      expect(files(audit).some((file) => strays.includes(file))).toBe(false);
    });

    it("are read for one account", async () => {
      const audit = await openOldAudit(kind);
      await audit.archive();
      const of: string[] = [];
      for await (const { account_id } of archivedEvents(audit.store.read, audit.folder, { accountId: "jan" }))
        of.push(account_id ?? "");
      expect(of).toEqual(["jan", "jan"]);
    });
  });
});

const MONTHS = 9;

onRacingDatabase((kind) => {
  describe("months of the audit that are being archived", () => {
    it("are written by one process, however many archive at once", async () => {
      const audit = await openOldAudit(kind);
      const archived = (await fifty(() => audit.archive())).flat();
      expect(archived.map(({ month }) => month).sort()).toEqual(["2024-03", "2024-04"]);
      expect(files(audit)).toHaveLength(2);
      expect(await audit.verify()).toMatchObject({ events: 6, findings: [] });
    });

    it("[S91] don't keep a person who is erased while they are written", async () => {
      const audit = await openOldAudit(kind);
      const { store, keyring, folder } = audit;
      const anna = { accountId: "anna", subjects: [] };
      const erased = store.write((tx) => eraseEvents(tx, keyring, anna, []));
      const [, count] = await Promise.all([audit.archive(), erased.catch(() => 0)]);
      if (count === 0) {
        const again = await eraseFromArchives(store, keyring, folder, {
          of: anna,
          source: bySupport(),
          now: NOON,
        });
        await store.write((tx) => eraseEvents(tx, keyring, anna, again.files));
      }
      await audit.archive();
      expect(textOf(audit).includes("anna")).toBe(false);
      expect(await audit.way.query("select id from audit_events where account_id = 'anna'")).toEqual([]);
      expect((await audit.verify()).findings).toEqual([]);
    });

    it("verify while they are archived, one after the other", async () => {
      const { way, store, keyring, folder, write, seal, verify } = await openSealedAudit(kind);
      await way.change("delete from audit_events");
      for (let month = 0; month < MONTHS; month += 1) await write(2, { at: Date.UTC(2024, month, 2) });
      await seal();
      const state: { isDone: boolean } = { isDone: false };
      const archiving = archiveMonths(store, keyring, {
        folder,
        keepMonths: 1,
        now: Date.UTC(2026, 0, 1),
      }).finally(() => {
        state.isDone = true;
      });
      const findings: string[] = [];
      while (!state.isDone) {
        findings.push(...(await verify()).findings);
        // On SQLite, verifying would leave archiving no turn.
        await nextTurn();
      }
      expect(await archiving).toHaveLength(MONTHS);
      expect(findings).toEqual([]);
    });
  });
});
