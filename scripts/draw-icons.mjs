// Run by hand after a change of public/favicon.svg: draws it for browsers and phones that don't take SVG.
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";
import { requireChromium } from "./prepare/browsers.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain } from "./prepare/stop.mjs";

const ICO_SIZES = [16, 32, 48];
const TOUCH_SIZE = 180;
/** Phones cut off the corners and use any background: the icon needs a margin and its own background. */
const TOUCH_MARGIN = 26;

await runMain(async () => {
  const svg = readFileSync(inProject("public", "favicon.svg"), "utf8");
  const asRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: await requireChromium(),
    args: asRoot ? ["--no-sandbox"] : [],
  });
  const page = await browser.newPage();
  const draw = async (size, margin, background) => {
    await page.setViewportSize({ width: size, height: size });
    const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
    const inner = size - 2 * margin;
    await page.setContent(`<body style="margin:${margin}px;background:${background}">
      <img src="${image}" width="${inner}" height="${inner}" style="display:block">`);
    return page.screenshot({ omitBackground: background === "transparent" });
  };
  const pictures = [];
  for (const size of ICO_SIZES) pictures.push({ size, png: await draw(size, 0, "transparent") });
  writeFileSync(inProject("public", "favicon.ico"), toIco(pictures));
  writeFileSync(inProject("public", "apple-touch-icon.png"), await draw(TOUCH_SIZE, TOUCH_MARGIN, "#fff"));
  await browser.close();
});

/** The ICO container: a header of 6 bytes, 16 bytes for each picture, then the pictures as PNG. */
function toIco(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach(({ size, png }, index) => {
    const at = 6 + 16 * index;
    head.writeUInt8(size, at);
    head.writeUInt8(size, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}
