import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { filesIn, isFile } from "~/server/files";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "files-"));
  await mkdir(join(folder, "documents"));
  await writeFile(join(folder, "robots.txt"), "");
  await writeFile(join(folder, "documents", "ogólne warunki.pdf"), "");
});
afterAll(() => rm(folder, { recursive: true }));

it("files are found in folders and below them; a folder is no file, and may be missing", () => {
  expect([...filesIn(folder, join(folder, "gone"))].toSorted()).toEqual([
    "/documents/ogólne warunki.pdf",
    "/robots.txt",
  ]);
});

it.each([
  ["/robots.txt", true],
  ["/documents/og%C3%B3lne%20warunki.pdf", true],
  ["/documents", false],
  ["/robots.txt.bak", false],
  ["/../robots.txt", false],
  ["/%", false],
  ["/__proto__", false],
])("%s is a file: %s", (path, found) => {
  expect(isFile(filesIn(folder), path)).toBe(found);
});
