import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALONE } from "~/backend/import/policyholder-batches.server";
import { batchesOf } from "~/backend/import/policyholder-batches.server";
import { LETTER, TERMS, ZOFIA, importing, linesOf, pdfOf, zofiaWith } from "./importing";

const MB = 1024 * 1024;

describe("an import of documents", () => {
  const { imported, put, rows, folder } = importing("sqlite", "all");
  const refusedFor = async (...documents: object[]) => {
    const before = await rows();
    const { counts, complaints } = await imported(zofiaWith(...documents));
    expect(counts.refused).toBe(1);
    expect(await rows()).toEqual(before);
    return complaints.join().replace("line 1: policies.0.documents", "");
  };

  it.each<[string, Buffer, string]>([
    ["no PDF", Buffer.from("Zofia Mazur"), ".0.file: expected a PDF that is not damaged"],
    ["an empty file", Buffer.alloc(0), ".0.file: expected a PDF that is not damaged"],
    ["an encrypted PDF", pdfOf("/Encrypt"), ".0.file: expected a PDF that is not encrypted"],
    ["a PDF that holds the check up", pdfOf("slow"), ".0.file: expected a PDF that takes less time to check"],
    ["a byte more than 5 MB", pdfOf("long", 5 * MB + 1), ".0.file: expected a PDF of at most 5 MB"],
  ])("[S93] refuses a line with %s, and quotes nothing from it", async (_what, content, problem) => {
    put("terms.pdf", content);
    expect(await refusedFor(TERMS)).toBe(problem);
  });

  it("refuses a path that leads out of the import file's folder, and says how it does", async () => {
    symlinkSync("/etc/hostname", join(folder(), "link.pdf"));
    const outside =
      ".0.file: expected a path below the folder of the import file (with -, the working directory)";
    for (const [file, how] of [
      ["/etc/hostname", ", not one that begins with /"],
      [join(folder(), "terms.pdf"), ", not one that begins with /"],
      ["link.pdf", ": a symbolic link leads out of it"],
      ["../../etc/hostname", ": .. leads out of it"],
      // Whether it exists is not told.
      ["../missing.pdf", ": .. leads out of it"],
    ])
      expect(await refusedFor({ ...TERMS, file }), file).toBe(`${outside}${how}`);
    expect(await refusedFor({ ...TERMS, file: "" })).toBe(
      ".0.file: expected a path below the folder of the import file",
    );
  });

  it("refuses what isn't a file, and says why", async () => {
    mkdirSync(join(folder(), "folder.pdf"));
    spawnSync("mkfifo", [join(folder(), "pipe.pdf")]);
    put("terms.pdf", pdfOf("terms"));
    symlinkSync("loop.pdf", join(folder(), "loop.pdf"));
    for (const [file, cause] of [
      ["missing.pdf", "a file that exists"],
      ["terms.pdf/x", "a file that exists"],
      ["folder.pdf", "a file, not a folder or a pipe"],
      ["pipe.pdf", "a file, not a folder or a pipe"],
      [".", "a file, not a folder or a pipe"],
      ["loop.pdf", "a file that can be read"],
    ])
      expect(await refusedFor({ ...TERMS, file }), file).toBe(`.0.file: expected ${cause}`);
  });

  it("refuses more than 50 MB in a line", async () => {
    put("terms.pdf", pdfOf("long", 5 * MB));
    put("letters/1.pdf", pdfOf("short"));
    const ten = Array.from({ length: 10 }, (_, nth) => ({ ...TERMS, name: `Warunki ${nth}` }));
    expect(await refusedFor(...ten, LETTER)).toBe(".10.file: expected at most 50 MB of documents in a line");
  });

  it.each<[string, object[], string]>([
    [
      "a confirmation, which the portal makes",
      [{ ...TERMS, kind: "confirmation" }],
      ".0.kind: expected policy, terms or letter",
    ],
    ["no name", [{ ...TERMS, name: " " }], ".0.name: expected a name of at most 200 characters"],
    [
      "a day that doesn't exist",
      [{ ...TERMS, issuedOn: "2026-02-30" }],
      ".0.issuedOn: expected a day such as 2026-11-21",
    ],
    [
      "an extra field",
      [{ ...TERMS, "Zofia Mazur": 1 }],
      ".0: expected name, kind, issuedOn, file and nothing else",
    ],
    [
      "a document twice",
      [TERMS, { ...TERMS, name: " Warunki", file: "letters/1.pdf" }],
      ": expected each document once: two have the same kind, name and issuedOn",
    ],
    [
      "51 documents",
      Array.from({ length: 51 }, (_, nth) => ({ ...TERMS, name: String(nth) })),
      ": expected at most 50 documents",
    ],
  ])("[S93] refuses %s", async (_what, documents, problem) => {
    put("terms.pdf", pdfOf("terms"));
    put("letters/1.pdf", pdfOf("a letter"));
    expect(await refusedFor(...documents)).toBe(problem);
  });

  it("holds the documents of only a few lines in memory at once", async () => {
    put("terms.pdf", pdfOf("long", 1.5 * MB));
    const lines = Array.from({ length: 7 }, (_, nth) => ({
      ...ZOFIA,
      pid: String(92_020_300_000 + nth),
      policies: [{ ...zofiaWith(TERMS).policies[0], policyNo: `POL-91${nth}` }],
    }));
    const sizes: number[] = [];
    for await (const batch of batchesOf(linesOf(lines), { folder: folder(), smsPrefixes: ["+48"] }, () =>
      Promise.resolve(ALONE),
    ))
      sizes.push(batch.lines.length);
    expect(sizes).toEqual([2, 2, 2, 1]);
  });
});

describe("a file that an import line names", () => {
  const { imported, importedAs, put, folder } = importing("sqlite");

  it("may have exactly 5 MB, and bring its line to exactly 50", async () => {
    put("terms.pdf", pdfOf("long", 5 * MB));
    const ten = Array.from({ length: 10 }, (_, nth) => ({ ...TERMS, name: `Warunki ${nth}` }));
    expect((await importedAs({ isRehearsal: true }, zofiaWith(...ten))).documents.new).toBe(10);
  });

  it("may be reached through folders and links that stay below the import file's folder", async () => {
    put("inside/terms.pdf", pdfOf("terms"));
    symlinkSync("inside", join(folder(), "link"));
    const name = folder().split("/").at(-1) ?? "";
    for (const file of ["link/terms.pdf", `../${name}/inside/../inside/terms.pdf`])
      expect((await imported(zofiaWith({ ...TERMS, file }))).counts.refused, file).toBe(0);
  });
});
