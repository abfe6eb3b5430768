import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { inspect } from "../../pdf-tools";

const FOLDER = fileURLToPath(new URL("../../../public/documents", import.meta.url));

it.each(["regulamin-portalu", "polityka-cookies"])(
  "no line of %s ends with a one-letter word, or with a figure before what it counts",
  (name) => {
    const { code, output } = inspect("pdftotext", readFileSync(`${FOLDER}/${name}.pdf`), (path) => [
      path,
      "-",
    ]);
    expect(code).toBe(0);
    expect(output.length).toBeGreaterThan(2000);
    expect(output.match(/.*(?:\d|(?<=\s)[aiouwz])\n(?=\p{L}).*/giu) ?? []).toEqual([]);
  },
);
