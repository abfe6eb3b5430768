import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openSync } from "fontkit";
import { expect, test } from "vitest";
import { ENGLISH_TEXTS } from "../i18n/every-text";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const FILE = join(ROOT, "app/ui/heading-face/bricolage-grotesque-700.woff2");
/** Adobe's metrics of Helvetica Bold, which Arial Bold and Liberation Sans Bold share. */
const METRICS = join(ROOT, "node_modules/pdfkit/js/data/Helvetica-Bold.afm");

/** The widths of letters in thousandths of the font size. */
function widthsOfArial(): ReadonlyMap<string, number> {
  const lines = readFileSync(METRICS, "utf8").matchAll(/^C (\d+) ; WX (\d+) ;/gm);
  return new Map([...lines].map(([, code, width]) => [String.fromCharCode(Number(code)), Number(width)]));
}

/** The `size-adjust` of a font face in the stylesheet, 1 for 100 %. */
function scaleOf(family: string): number {
  const css = readFileSync(join(ROOT, "app/ui/tailwind.css"), "utf8");
  const face = new RegExp(`font-family: ${family};[^}]*size-adjust: ([\\d.]+)%`).exec(css);
  return Number(face?.[1]) / 100;
}

test("[F21] until the heading face has loaded, Arial stands in at the same width, within 3 % over all headings", () => {
  const font = openSync(FILE);
  if (!("layout" in font)) throw new Error("The file has more than one font.");
  const arial = widthsOfArial();
  const headings = ENGLISH_TEXTS.filter(({ key }) => /header$|claim$/i.test(key)).map(({ text }) => text);
  expect(headings.length).toBeGreaterThan(30);
  const widthIn = (text: string) => font.layout(text).advanceWidth / font.unitsPerEm;
  const widthBefore = (text: string) =>
    ([...text].reduce((sum, letter) => sum + (arial.get(letter) ?? NaN), 0) / 1000) *
    scaleOf("Heading-Arial");
  const plain = headings.filter((text) => /^[ -~]+$/.test(text));
  const sum = (width: (text: string) => number) => plain.reduce((total, text) => total + width(text), 0);
  expect(Math.abs(sum(widthBefore) / sum(widthIn) - 1)).toBeLessThan(0.03);
});

test("[F21] the heading face takes at most 20 KB", () => {
  expect(statSync(FILE).size).toBeLessThanOrEqual(20 * 1024);
});
