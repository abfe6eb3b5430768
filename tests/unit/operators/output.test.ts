import { Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { report } from "~/operators/kit/command.server";
import { factLines } from "~/operators/kit/print-facts.server";
import { jsonText } from "~/platform/terminal-text";

/** Every character that a terminal might act on or hide, and some that it shows. */
const ALL = Array.from({ length: 0x11_0000 }, (_, at) => at)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((character) => /[\p{Cc}\p{Cf}"\\ąż💥]/u.test(character))
  .join("");

describe("[S121] JSON of the commands", () => {
  it("has no control or format character, and parses to the same value", () => {
    const value = { [ALL]: [ALL, 1, null, { nested: `${ALL}\n${ALL}` }] };
    const text = jsonText(value);
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toContain("ąż");
    expect(JSON.parse(text)).toEqual(value);
  });

  it("is what --json prints", () => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const input = Readable.from([]);
    report({ input, print, printError: print, out: new Writable() }, true, { device: "\u009B" }, []);
    expect(printed).toEqual([String.raw`{"device":"\u009b"}`]);
  });
});

it("prints a fact per line, groups indented, times in Poland, and none for what is missing", () => {
  const lines = [
    "changed: true",
    "until: 2026-11-28 13:00:00 CET (12:00:00 UTC)",
    "ended:",
    "  sessions: 2",
    "devices:",
    "  - name: Firefox",
    "    kinds:",
    "      - known",
    "      - trusted",
    "  - name: none",
    "    kinds: none",
    "pairs:",
    "  - - a",
    "    - b",
    "kept: none",
    "account: none",
  ];
  expect(
    factLines({
      changed: true,
      until: new Date("2026-11-28T12:00:00Z"),
      ended: { sessions: 2 },
      devices: [
        { name: "Firefox", kinds: ["known", "trusted"] },
        { name: "", kinds: [] },
      ],
      pairs: [["a", "b"]],
      kept: {},
      account: null,
    }),
  ).toEqual(lines);
});
