import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deleteOld, holdBackupFolder, newestBackup } from "~/backend/backup/backup-folder.server";
import { newDataDir } from "../../backend/test-place";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 20, 2, 15);
const nameAt = (at: number, kind = "sqlite") =>
  `portal-${new Date(at).toISOString().replaceAll(":", "")}.${kind}.age`;
const OLDEST = nameAt(NOW - 36 * DAY);
const OLD = nameAt(NOW - 35 * DAY - 1, "pgdump");
const IN_TIME = nameAt(NOW - 35 * DAY);
const NEW = nameAt(NOW);
/** Files named almost like the portal's. */
const FOREIGN = [
  "portal-2020-01-01.age",
  `old-${OLDEST}`,
  `${OLDEST}.copy`,
  "portal-2020-01-01T000000.000Z.tar.age",
  "audit-2020-01.jsonl.gz.age",
  "notes.draft",
];

function folderWith(names: readonly string[]): string {
  const folder = newDataDir();
  for (const name of names) writeFileSync(join(folder, name), name);
  return folder;
}

it("backups older than the days they are kept are deleted, and no other file", () => {
  const folder = folderWith([OLDEST, OLD, IN_TIME, NEW, ...FOREIGN]);
  expect(deleteOld(folder, 35, NOW)).toEqual([OLDEST, OLD]);
  expect(readdirSync(folder).toSorted()).toEqual([IN_TIME, NEW, ...FOREIGN].toSorted());
});

it("the newest backup stays, however old it is", () => {
  const folder = folderWith([OLDEST, OLD]);
  expect(deleteOld(folder, 1, NOW)).toEqual([OLDEST]);
  expect(deleteOld(folder, 1, NOW)).toEqual([]);
});

it("an archive of the audit stays as long as a kept backup needs it", () => {
  const [needed, unneeded] = ["audit-2020-01-0123abcd.jsonl.gz.age", "audit-2020-02-0123abcd.jsonl.gz.age"];
  const folder = folderWith([needed, unneeded, NEW]);
  const neededUntil = (name: string, at: number) => utimesSync(join(folder, name), at / 1000, at / 1000);
  neededUntil(needed, NOW - 35 * DAY);
  neededUntil(unneeded, NOW - 36 * DAY);
  expect(deleteOld(folder, 35, NOW)).toEqual([unneeded]);
});

it("what an interrupted run left is deleted by the next one, and never taken for a backup", () => {
  const drafts = [`${NEW}.draft`, "audit-2020-01-0123abcd.jsonl.gz.age.draft"];
  const folder = folderWith([OLD, ...drafts, ...FOREIGN]);
  expect(newestBackup(folder, NOW)?.name).toBe(OLD);
  holdBackupFolder(folder).release();
  expect(readdirSync(folder).toSorted()).toEqual([OLD, ...FOREIGN, "portal-backup.lock"].toSorted());
});

it("an empty file is no backup: the newest one that holds something counts, and stays", () => {
  const folder = folderWith([OLDEST]);
  writeFileSync(join(folder, NEW), "");
  expect(newestBackup(folder, NOW)?.name).toBe(OLDEST);
  expect(deleteOld(folder, 1, NOW)).toEqual([]);
});

it("two runs at once: the second says so, and the folder is free when the first has ended", () => {
  const folder = folderWith([]);
  const { release } = holdBackupFolder(folder);
  expect(() => holdBackupFolder(folder)).toThrow(`another backup is being made in ${folder}`);
  release();
  holdBackupFolder(folder).release();
});

it("a folder that is not there is not made: its disk may not be mounted", () => {
  const folder = join(newDataDir(), "backups");
  expect(() => holdBackupFolder(folder)).toThrow("is not a folder");
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
  holdBackupFolder(folder).release();
  expect(statSync(join(folder, "portal-backup.lock")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, "portal-backup.lock"))).toHaveLength(0);
});
