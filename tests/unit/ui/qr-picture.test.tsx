import decodeQR from "qr/decode.js";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { QrPicture } from "~/ui/qr-picture";

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
