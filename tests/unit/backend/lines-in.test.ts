import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { linesIn } from "~/backend/lines-in.server";

const MB = 1024 * 1024;

async function linesOf(...chunks: (string | Buffer)[]): Promise<(string | undefined)[]> {
  const lines: (string | undefined)[] = [];
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

  it("are passed over if they are longer than 4 MB, and those around them are not", async () => {
    const limit = "x".repeat(4 * MB);
    expect(await linesOf(`a\n${limit}\n${limit}`, "y\nb\n")).toEqual(["a", limit, undefined, "b"]);
    expect(await linesOf(limit, limit)).toEqual([undefined]);
  });

  it("take no more memory than that, however long a line is", async () => {
    const chunk = Buffer.alloc(MB, "x");
    const endless = async function* () {
      for (let nth = 0; nth < 600; nth += 1) yield await Promise.resolve(Buffer.from(chunk));
    };
    let most = 0;
    const measured = async function* () {
      for await (const piece of endless()) {
        yield piece;
        globalThis.gc?.();
        most = Math.max(most, process.memoryUsage().arrayBuffers);
      }
    };
    const before = process.memoryUsage().arrayBuffers;
    for await (const line of linesIn(measured())) expect(line).toBeUndefined();
    expect(most - before).toBeLessThan(300 * MB);
  });
});
