import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openSync } from "fontkit";
import { expect, test } from "vitest";
import { ENGLISH_TEXTS } from "../i18n/every-text";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const FILE = join(ROOT, "app/ui/heading-face/bricolage-grotesque-700.woff2");
/** The faces that stand in, in tests/fonts: Arimo has Arial's metrics. */
const STAND_INS = { Arial: "arimo", Roboto: "roboto" };

/** The width of a text in a font file, in font sizes. */
function widthIn(file: string): (text: string) => number {
  const font = openSync(file);
  if (!("layout" in font)) throw new Error(`${file} has more than one font.`);
  return (text) => font.layout(text).advanceWidth / font.unitsPerEm;
}

/** The `size-adjust` of a font face in the stylesheet, 1 for 100 %. */
function scaleOf(family: string): number {
  const css = readFileSync(join(ROOT, "app/ui/tailwind.css"), "utf8");
  const face = new RegExp(`font-family: ${family};[^}]*size-adjust: ([\\d.]+)%`).exec(css);
  return Number(face?.[1]) / 100;
}

test.each(Object.entries(STAND_INS))(
  "[F21] until the heading face has loaded, %s stands in at the same width, within 3 % over all headings",
  (family, name) => {
    const heading = widthIn(FILE);
    const standIn = widthIn(join(ROOT, `tests/fonts/${name}-latin-700-normal.woff2`));
    const headings = ENGLISH_TEXTS.filter(({ key }) => /header$|claim$/i.test(key)).map(({ text }) => text);
    const plain = headings.filter((text) => /^[ -~]+$/.test(text));
    expect(plain.length).toBeGreaterThan(30);
    const sum = (width: (text: string) => number) => plain.reduce((total, text) => total + width(text), 0);
    const scaled = sum(standIn) * scaleOf(`Heading-${family}`);
    expect(Math.abs(scaled / sum(heading) - 1)).toBeLessThan(0.03);
  },
);

test("[F21] the heading face takes at most 20 KB", () => {
  expect(statSync(FILE).size).toBeLessThanOrEqual(20 * 1024);
});
