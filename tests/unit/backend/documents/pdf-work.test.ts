import { once } from "node:events";
import { tmpdir } from "node:os";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PdfWorkBusy, type PdfWork } from "~/backend/documents/pdf-work.server";
import { openPdfWork } from "~/backend/documents/pdf-workers.server";
import type { Sheet } from "~/backend/documents/draw-sheet";
import { LIMITS } from "~/platform/config/limits";
import { inspect, rewrite, textOf } from "../../../pdf-tools";
import { IS_RELEASE } from "../../../release-run";

const PASSWORD = "Dokument-2026!";
const OPEN = `--password=${PASSWORD}`;
const LONG_NAME =
  "Wielobranżowe Przedsiębiorstwo Produkcyjno-Handlowo-Usługowe „Łąka i Źdźbło” Świętopełk Brzęczyszczykiewicz";

const SHEET: Sheet = {
  language: "pl",
  title: "Potwierdzenie zgłoszenia",
  brand: { name: "Tarnea Ubezpieczenia", colour: "#0B6E4F" },
  facts: [
    { term: "Ubezpieczający", value: "Zażółć Gęślą Jaźń" },
    { term: "Firma", value: LONG_NAME },
    { term: "Adres", value: "ul. Wąska 1\n00-950 Łódź" },
    { term: "Inne imiona", value: "Олена Шевченко, Νίκος Παππάς, Nguyễn Thị Hường, 李小龙" },
  ],
  sections: [{ header: "Co dalej", paragraphs: ["Pisma wyślemy na „nowy” adres – pocztą."] }],
  footer: "Tarnea Ubezpieczenia · 22 100 20 30",
};

/** A sheet that fills several pages. */
const LONG_SHEET: Sheet = {
  ...SHEET,
  sections: [
    { header: "Długi rozdział", paragraphs: Array<string>(60).fill("Zdanie za zdaniem. ".repeat(9)) },
  ],
};

/** The memory of the library grows with each; before a release it is seen how far. */
const MANY = IS_RELEASE ? 210 : 10;

let work: PdfWork;
let plain: Uint8Array;
beforeAll(async () => {
  work = openPdfWork(LIMITS);
  plain = await work.make(SHEET);
});
afterAll(() => work.close());

/** `protect` empties the array it is given. */
const protectCopy = (pdf: Uint8Array, password = PASSWORD) => work.protect(pdf.slice(), password);
const oneLine = (text: string) => text.replace(/\s+/g, " ");

describe("a document made from words", () => {
  test("has every word, in Polish and in other alphabets", () => {
    const text = oneLine(textOf(plain));
    for (const word of [
      SHEET.title,
      "Zażółć Gęślą Jaźń",
      "00-950 Łódź",
      "Олена Шевченко, Νίκος Παππάς, Nguyễn Thị",
      "Pisma wyślemy na „nowy” adres – pocztą.",
      SHEET.footer,
    ]) {
      expect(text).toContain(word);
    }
  });

  test("wraps a long name, and loses nothing of it", () => {
    const words = inspect("pdftotext", plain, (path) => [path, "-"]).output;
    // pdftotext takes a hyphen at the end of a line for one that only breaks a word.
    expect(oneLine(words).replaceAll("-", "")).toContain(LONG_NAME.replaceAll("-", ""));
    expect(words).not.toContain(LONG_NAME);
  });

  test("goes on to further pages, each with the footer and its number", async () => {
    const pages = textOf(await work.make(LONG_SHEET))
      .split("\f")
      .slice(0, -1);
    expect(pages.length).toBeGreaterThan(1);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(SHEET.footer);
      expect(page).toMatch(new RegExp(`\\b${index + 1} ?/ ?${pages.length}\\s*$`));
    }
  });

  test("has a title and is tagged: headings, paragraphs, a list", () => {
    const about = inspect("pdfinfo", plain, (path) => [path]).output;
    expect(about).toMatch(/^Title: +Potwierdzenie zgłoszenia$/m);
    expect(about).toMatch(/^Tagged: +yes$/m);
    expect(about).toMatch(/^Page size: .*A4/m);
    const { output } = inspect("pdfinfo", plain, (path) => ["-struct-text", path]);
    expect(output).toMatch(/H1 \(block\)\s+"Potwierdzenie zgłoszenia"/);
    expect(output).toMatch(/Lbl \(block\)\s+"Ubezpieczający"\s+LBody \(block\)\s+"Zażółć Gęślą Jaźń"/);
    expect(output).toMatch(/H2 \(block\)\s+"Co dalej"\s+P \(block\)\s+"Pisma/);
    expect(output).not.toContain("Warning");
  });

  test("names its language, and shows its title in the bar of the window, encrypted or not", async () => {
    for (const pdf of [plain, rewrite(await work.make(SHEET, PASSWORD), [OPEN, "--decrypt"])]) {
      const readable = Buffer.from(rewrite(pdf, ["--qdf"])).toString("latin1");
      expect(readable).toContain("/Lang (pl)");
      expect(readable).toContain("/DisplayDocTitle true");
    }
  });
});

describe("a protected document", () => {
  test("opens with its password in qpdf and in poppler, and in neither without it", async () => {
    const pdf = await work.make(SHEET, PASSWORD);
    expect(inspect("qpdf", pdf, (path) => ["--check", OPEN, path]).code).toBe(0);
    expect(textOf(pdf, PASSWORD)).toBe(textOf(plain));
    for (const wrong of ["", "Dokument-2026"]) {
      expect(inspect("qpdf", pdf, (path) => ["--check", `--password=${wrong}`, path]).code).not.toBe(0);
      expect(inspect("pdftotext", pdf, (path) => ["-upw", wrong, path, "-"]).code).not.toBe(0);
      expect(inspect("pdftotext", pdf, (path) => ["-opw", wrong, path, "-"]).code).not.toBe(0);
    }
  });

  test("is encrypted by AES-256, revision 6, and grants everything", async () => {
    for (const pdf of [await work.make(SHEET, PASSWORD), await protectCopy(plain)]) {
      const { output } = inspect("qpdf", pdf, (path) => ["--show-encryption", OPEN, path]);
      expect(output).toContain("R = 6");
      expect(output).toContain("Supplied password is user password");
      expect(output).not.toContain("Supplied password is owner password");
      expect(output.match(/method: AESv3/g)).toHaveLength(3);
      expect(output).not.toContain("not allowed");
      const about = inspect("pdfinfo", pdf, (path) => ["-upw", PASSWORD, path]).output;
      expect(about).toContain("yes (print:yes copy:yes change:yes addNotes:yes algorithm:AES-256)");
    }
  });

  test("shows none of its words to someone who reads the file itself", async () => {
    const bytes = Buffer.from(await work.make(SHEET, PASSWORD)).toString("latin1");
    for (const word of ["(pl)", "Tarnea", "Title (", PASSWORD]) expect(bytes).not.toContain(word);
  });

  test("is different each time", async () => {
    expect(await protectCopy(plain)).not.toEqual(await protectCopy(plain));
  });

  test.each(["-x", "--help", "@file", "a b", "zażółć", "'\"\\$(x)", "x=y", "ą".repeat(40)])(
    "opens with the password %s",
    async (password) => {
      for (const pdf of [await work.make(SHEET, password), await protectCopy(plain, password)]) {
        const opened = rewrite(pdf, [`--password=${password}`, "--decrypt"]);
        expect(textOf(opened)).toBe(textOf(plain));
      }
    },
  );

  test.each([
    ["object streams", ["--object-streams=generate"]],
    ["no object streams", ["--object-streams=disable"]],
    ["a linearized form", ["--linearize"]],
    ["both", ["--linearize", "--object-streams=generate"]],
    ["streams that are not packed", ["--qdf"]],
  ])("is made from one with %s", async (_, options) => {
    const odd = rewrite(await work.make(LONG_SHEET), options);
    expect(await work.check(odd)).toBe("fine");
    const pdf = await protectCopy(odd);
    expect(inspect("qpdf", pdf, (path) => ["--check", OPEN, path]).code).toBe(0);
    expect(textOf(pdf, PASSWORD)).toBe(textOf(odd));
  });
});

describe("a document from elsewhere", () => {
  const encrypted = (words: readonly string[]) => rewrite(plain, ["--encrypt", ...words, "256", "--"]);

  test("that opens without a password is fine, and checking leaves it as it is", async () => {
    const before = plain.slice();
    expect(await work.check(plain)).toBe("fine");
    expect(plain).toEqual(before);
  });

  test("that is encrypted is told apart, even if it opens without a password", async () => {
    expect(await work.check(encrypted(["user", "owner"]))).toBe("encrypted");
    expect(await work.check(encrypted(["", "owner"]))).toBe("encrypted");
  });

  test("that is no PDF, broken or cut off anywhere is told apart, and never protected", async () => {
    const overwritten = plain.slice().fill(0, 500, plain.length - 100);
    const parts = [0.1, 0.5, 0.9, 0.99].map((part) => plain.slice(0, Math.floor(plain.length * part)));
    const texts = ["", "words", "%PDF-1.7\n%%EOF\n"].map((text) => new TextEncoder().encode(text));
    for (const pdf of [...parts, ...texts, overwritten]) {
      expect(await work.check(pdf)).toBe("not-a-pdf");
      await expect(protectCopy(pdf)).rejects.toThrow("qpdf refused a document");
    }
  });

  test("whose page can't be unpacked is told apart, though its structure is whole", async () => {
    const at = Buffer.from(plain).indexOf(">>\nstream\n");
    const damaged = plain.slice().fill(0xff, at + 100, at + 150);
    expect(await work.check(damaged)).toBe("not-a-pdf");
  });

  test("that was refused doesn't harm the next", async () => {
    await expect(protectCopy(new Uint8Array(100))).rejects.toThrow();
    expect(textOf(await protectCopy(plain), PASSWORD)).toBe(textOf(plain));
  });
});

describe("the work", () => {
  test("is done in another thread, which the first job starts and which ends when idle", async () => {
    const another = openPdfWork({ ...LIMITS, PDF_IDLE_MS: 1 });
    for (let start = 1; start <= 2; start += 1) {
      const starting = once(process, "worker") as Promise<[Worker]>;
      const making = another.make(SHEET);
      const [thread] = await starting;
      const ending = once(thread, "exit");
      expect(textOf(await making)).toBe(textOf(plain));
      await ending;
    }
    await another.close();
  });

  test("warms up one thread, however often it is asked, which takes the next job and ends when idle", async () => {
    const another = openPdfWork({ ...LIMITS, PDF_IDLE_MS: 200 });
    let threads = 0;
    const count = () => (threads += 1);
    process.on("worker", count);
    const starting = once(process, "worker") as Promise<[Worker]>;
    another.warm();
    another.warm();
    const [thread] = await starting;
    const ending = once(thread, "exit");
    expect(textOf(await another.make(SHEET))).toBe(textOf(plain));
    another.warm();
    await ending;
    process.off("worker", count);
    expect(threads).toBe(1);
    await another.close();
  });

  test("beyond what may wait is refused at once, and the rest is done", async () => {
    const another = openPdfWork({ ...LIMITS, PDF_WAITING: 2 });
    const accepted = [1, 2, 3].map(() => another.make(SHEET));
    await expect(another.check(plain)).rejects.toThrow(PdfWorkBusy);
    for (const pdf of await Promise.all(accepted)) expect(textOf(pdf)).toBe(textOf(plain));
    expect(await another.check(plain)).toBe("fine");
    await another.close();
  });

  test("that takes too long is stopped", async () => {
    const another = openPdfWork({ ...LIMITS, PDF_MS: 1 });
    await expect(another.make(LONG_SHEET)).rejects.toThrow(PdfWorkBusy);
    await another.close();
  });

  test("fails at once when its thread can't start", async () => {
    const root = process.cwd();
    process.chdir(tmpdir());
    const another = openPdfWork(LIMITS);
    process.chdir(root);
    await expect(another.make(SHEET)).rejects.toThrow("Cannot find module");
    await another.close();
  });

  test(`encrypts ${MANY} documents one after the other`, async () => {
    for (let nth = 0; nth < MANY; nth += 1) await work.make(SHEET, "Dokument-2026!");
  });

  test("ends when it is closed", async () => {
    const another = openPdfWork(LIMITS);
    const making = another.make(LONG_SHEET);
    const ended = expect(making).rejects.toThrow();
    await another.close();
    await ended;
  });
});
