import { crc32, inflateSync } from "node:zlib";
import decodeQR from "qr/decode.js";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { QrPicture, qrPng } from "~/ui/qr-picture";

const TEXT = "|PL|61109010140000071219812874|012900|Tarnea Ubezpieczenia|Składka Żółć POL-100001|||";
/** Pixels for a module: a camera sees several, too. */
const SCALE = 4;

/** The picture as pixels, drawn from its markup. */
function drawn(svg: string) {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const [light = "", dark = ""] = [...svg.matchAll(/<path fill="(#\w+)" d="([^"]*)"/g)].map(
    ([, fill = "", path = ""]) => `${fill} ${path}`,
  );
  expect(light).toBe(`#fff M0 0h${size}v${size}h-${size}z`);
  expect(dark).toMatch(/^#000 /);
  // Each part of the path is a row of dark modules.
  const modules = new Set(
    [...dark.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].flatMap(([, x, y, length]) =>
      Array.from({ length: Number(length) }, (_module, nth) => `${Number(x) + nth},${y}`),
    ),
  );
  const side = size * SCALE;
  const data = new Uint8Array(side * side * 3);
  for (let pixel = 0; pixel < side * side; pixel++) {
    const [x, y] = [Math.floor((pixel % side) / SCALE), Math.floor(pixel / side / SCALE)];
    data.fill(modules.has(`${x},${y}`) ? 0 : 255, pixel * 3, pixel * 3 + 3);
  }
  return { width: side, height: side, data, modules, size };
}

const svg = renderToStaticMarkup(<QrPicture text={TEXT} label="Kod QR z danymi przelewu" />);

it("[F66] a camera reads the text from the picture, Polish letters included", () => {
  expect(decodeQR(drawn(svg))).toBe(TEXT);
});

it("[F66] four light modules are around it, and both colours are its own, whatever the page's are", () => {
  const { modules, size } = drawn(svg);
  const places = [...modules].flatMap((module) => module.split(",").map(Number));
  expect(Math.min(...places)).toBe(4);
  expect(Math.max(...places)).toBe(size - 5);
});

it("it has a name for those who don't see it", () => {
  expect(svg).toContain('role="img" aria-label="Kod QR z danymi przelewu"');
});

it("[F66] a bank's app reads the text from the saved picture: a PNG whose parts have the right checksums", () => {
  const png = qrPng(TEXT);
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const parts = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const checked = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(checked));
    parts.set(checked.subarray(0, 4).toString(), checked.subarray(4));
    at += 12 + length;
  }
  expect([...parts.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  const side = parts.get("IHDR")?.readUInt32BE(0) ?? NaN;
  const rows = inflateSync(parts.get("IDAT") ?? Buffer.alloc(0));
  expect(rows).toHaveLength(side * (side + 1));
  const grey = rows.filter((_byte, nth) => nth % (side + 1) !== 0);
  const data = Uint8Array.from([...grey].flatMap((value) => [value, value, value]));
  expect(decodeQR({ width: side, height: side, data })).toBe(TEXT);
});
