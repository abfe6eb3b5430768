import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BIT_DEPTH = 8;
const PALETTE = 3;

/** A colour of this share of the picture is an area's, and kept as it is. */
const AREA = 1 / 500;
/** Other colours are edges: close ones count as one, which leaves room for a small mark in a colour of its own. */
const CLOSE = 28;

/**
 * A PNG of few colours: the most frequent ones; each other pixel takes the nearest of them.
 * @param {{ width: number, height: number, rgba: Buffer }} picture
 * @param {number} most colours, up to 256
 */
export function palettePng({ width, height, rgba }, most) {
  const pixels = Array.from({ length: width * height }, (_, at) => rgba.readUIntBE(at * 4, 3));
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = choose(counts, most);
  const indexes = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter: 0, none
  for (const [at, colour] of pixels.entries()) rows[at + Math.floor(at / width) + 1] = indexes.get(colour);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([BIT_DEPTH, PALETTE], 8);
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function choose(counts, most) {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const area = [...counts.values()].reduce((sum, count) => sum + count) * AREA;
  const palette = [];
  for (const [colour, count] of sorted) {
    const apart = palette.every((chosen) => distance(channels(chosen), channels(colour)) > CLOSE ** 2);
    if (palette.length < most && (count > area || apart)) palette.push(colour);
  }
  return palette;
}

function nearest(palette, colour) {
  const distances = palette.map((other) => distance(channels(other), channels(colour)));
  return distances.indexOf(Math.min(...distances));
}

function distance(one, other) {
  return one.reduce((sum, value, at) => sum + (value - other[at]) ** 2, 0);
}

function channels(colour) {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
