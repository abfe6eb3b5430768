import { expect, it } from "vitest";
import { factLines } from "~/operators/kit/print-facts.server";

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
      ...{ changed: true, until: new Date("2026-11-28T12:00:00Z"), ended: { sessions: 2 } },
      devices: [
        { name: "Firefox", kinds: ["known", "trusted"] },
        { name: "", kinds: [] },
      ],
      ...{ pairs: [["a", "b"]], kept: {}, account: null },
    }),
  ).toEqual(lines);
});
