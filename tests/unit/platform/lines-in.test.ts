import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { LINE_TOO_LONG, linesIn, type UnreadableLine } from "~/platform/files/lines-in.server";
import { readPolicyholder } from "~/backend/import/policyholder-line.server";

const MB = 1024 * 1024;

async function linesOf(...chunks: (string | Buffer)[]): Promise<(string | UnreadableLine)[]> {
  const lines: (string | UnreadableLine)[] = [];
  for await (const line of linesIn(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))))
    lines.push(line);
  return lines;
}

describe("the lines of an import", () => {
  it("are the same however the file arrives", async () => {
    const file = Buffer.from("\uFEFFZażółć\r\n\ngęślą\n\uFEFFjaźń");
    const lines = ["Zażółć\r", "", "gęślą", "jaźń"];
    expect(await linesOf(file)).toEqual(lines);
    expect(await linesOf(...Array.from(file, (byte) => Buffer.from([byte])))).toEqual(lines);
    expect(await linesOf("")).toEqual([]);
  });

  it("are skipped if they are longer than 1 MB, and those around them are not", async () => {
    const limit = "x".repeat(MB);
    expect(await linesOf(`a\n${limit}\n${limit}`, "y\nb\n")).toEqual(["a", limit, LINE_TOO_LONG, "b"]);
    expect(await linesOf(limit, limit)).toEqual([LINE_TOO_LONG]);
  });

  it("[S123] are named if they are not UTF-8, and those around them are read", async () => {
    const latin2 = Buffer.concat([Buffer.from("za"), Buffer.from([0xbf, 0xf3, 0xb3, 0xe6])]);
    const cut = Buffer.from("ż").subarray(0, 1);
    const lines = [Buffer.from("ą"), latin2, Buffer.from("\uFFFD"), cut];
    const file = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
    const notUtf8 = { problem: "not UTF-8" };
    expect(await linesOf(file)).toEqual(["ą", notUtf8, "\uFFFD", notUtf8]);
    expect(await linesOf(...Array.from(file, (byte) => Buffer.from([byte])))).toEqual([
      "ą",
      notUtf8,
      "\uFFFD",
      notUtf8,
    ]);
  });

  it("have room for any policy with all its documents, at its longest", async () => {
    // Outside the Basic Multilingual Plane: twelve bytes as a JSON escape.
    const longest = (length: number) => "\u{1F600}".repeat(length);
    const document = { kind: "policy", issuedOn: "2026-03-01", file: longest(500) };
    const policy = {
      policyNo: longest(200),
      name: longest(200),
      product: "business",
      validFrom: "2026-03-01",
      validTo: "2027-02-28",
      documents: Array.from({ length: 50 }, (_, nth) => ({ ...document, name: `${longest(198)}${nth}` })),
    };
    const person = { kind: "company", name: longest(200), representative: longest(200), pid: "5260001246" };
    const line = JSON.stringify({ ...person, phone: "+48500900001", policies: [policy] }).replaceAll(
      "\u{1F600}",
      String.raw`\ud83d\ude00`,
    );
    const [read] = await linesOf(line);
    expect(readPolicyholder(typeof read === "string" ? read : "")).toMatchObject({ ok: true });
    expect(line.length).toBeLessThan(0.45 * MB);
  });

  it("are given up as soon as they are too long, even if the end never comes", async () => {
    const endless = async function* () {
      for (;;) yield await Promise.resolve(Buffer.alloc(MB / 4, "x"));
    };
    expect(await linesIn(endless()).next()).toEqual({ value: LINE_TOO_LONG, done: false });
  });
});
