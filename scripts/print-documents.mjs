// Run by hand after a change in docs/legal: prints its pages as tagged PDFs to public/documents.
import { mkdirSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { requireChromium } from "./prepare/browsers.mjs";
import { run } from "./prepare/command.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

const DOCUMENTS = ["regulamin-portalu", "polityka-cookies"];
const MAX_BYTES = 80 * 1024;
const FOOTER = `<p style="width:100%;margin:0 20mm;font:8pt Liberation Sans,sans-serif;color:#4f5d60;text-align:right">
  Tarnea Ubezpieczenia – strona <span class="pageNumber"></span> z <span class="totalPages"></span></p>`;

await runMain(async () => {
  const asRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: await requireChromium(),
    args: asRoot ? ["--no-sandbox"] : [],
  });
  const page = await browser.newPage();
  mkdirSync(inProject(".cache"), { recursive: true });
  for (const name of DOCUMENTS) {
    const printed = inProject(".cache", `${name}.pdf`);
    const path = inProject("public", "documents", `${name}.pdf`);
    await page.goto(pathToFileURL(inProject("docs", "legal", `${name}.html`)).href);
    if (!(await page.evaluate(hasTheFace))) throw new Stop("Install Liberation Sans (fonts-liberation).");
    await page.evaluate(bindShortWords);
    await page.pdf({
      path: printed,
      tagged: true,
      outline: true,
      printBackground: true,
      preferCSSPageSize: true,
      displayHeaderFooter: true,
      headerTemplate: "<span></span>",
      footerTemplate: FOOTER,
    });
    await pack(printed, path);
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new Stop(`${path} has ${size} bytes, more than ${MAX_BYTES}.`);
    console.log(`✓ ${path}: ${size} bytes`);
  }
  await browser.close();
});

/** Whether the face of the documents is installed: with another one each line would be longer. Runs in the page. */
function hasTheFace() {
  const canvas = document.createElement("canvas").getContext("2d");
  const widths = ["monospace", "'Liberation Sans', monospace"].map((face) => {
    canvas.font = `20px ${face}`;
    return canvas.measureText("Regulamin").width;
  });
  return widths[0] !== widths[1];
}

/** Polish typography: no line ends with a one-letter word, or with a figure before its noun. Runs in the page. */
function bindShortWords() {
  // Without the comments that name limits, a figure and its noun are one text.
  const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  const found = [];
  while (comments.nextNode()) found.push(comments.currentNode);
  for (const comment of found) comment.remove();
  document.body.normalize();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    text.data = text.data
      .replace(/(?<=^|[\s(„])([aiouwz])\s+(?=\S)/gi, "$1\u00a0")
      .replace(/(?<=\d)\s+(?=\p{L})/gu, "\u00a0");
  }
}

/** Chromium leaves the tags uncompressed, a third of the file. */
async function pack(from, to) {
  const options = ["--object-streams=generate", "--recompress-flate", "--compression-level=9"];
  const { code, output } = await run("qpdf", [...options, from, to], { capture: true });
  if (code !== 0) throw new Stop(`qpdf could not pack ${from}: ${output.trim()}`);
}
