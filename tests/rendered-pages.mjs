// `node tests/rendered-pages.mjs FOLDER` writes every page of the gallery, and a few others, to files: once for each
// language. Run it before and after a change of how pages are written, and compare the two folders with `diff -r`.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name a folder for the pages.");

const PORT = process.env["PORT"] ?? "4390";
const ORIGIN = `http://127.0.0.1:${PORT}`;
const OTHERS = ["/home/cookies", "/demo/gallery", "/demo/sms", "/nie-ma-takiej-strony", "/service"];
const LANGUAGES = ["pl", "en"];

/** What differs from run to run: the stylesheet, the script's name, reference numbers and the time beside them. */
const OF_THE_RUN = [
  [/<style>.*?<\/style>/s, "<style></style>"],
  [/entry\.client-[\w-]+\.js/g, "entry.client.js"],
  [/[0-9a-f]{12}, \d+:\d\d(am|pm)?/g, "reference"],
];

const data = mkdtempSync(join(tmpdir(), "rendered-pages-"));
const portal = spawn(
  process.execPath,
  ["node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"],
  {
    env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production", DATA_DIR: data, PORT, HOST: "127.0.0.1" },
    stdio: ["ignore", "pipe", "pipe"],
  },
);
const ended = new Promise((resolve) => portal.once("exit", resolve));

try {
  await listening();
  for (const language of LANGUAGES) {
    const gallery = await page("/demo/gallery", language);
    const states = [...gallery.matchAll(/href="(\/demo\/gallery\/[^"]+)"/g)].map(([, path]) => path);
    for (const path of [...OTHERS, ...states]) {
      const file = join(folder, language, `${path.slice(1)}.html`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, await page(path, language));
    }
    console.log(`${language}: ${states.length + OTHERS.length} pages`);
  }
} finally {
  portal.kill();
  await ended;
  rmSync(data, { recursive: true });
}

/** A page with each tag on a line of its own, so that a difference can be read. */
async function page(path, language) {
  const answer = await globalThis.fetch(ORIGIN + path, {
    headers: { Cookie: `accepted-cookies=1; language=${language}` },
    redirect: "manual",
  });
  const html = OF_THE_RUN.reduce((read, [pattern, mark]) => read.replace(pattern, mark), await answer.text());
  return `${answer.status} ${answer.headers.get("Location") ?? ""}\n${html.replaceAll("<", "\n<")}\n`;
}

/** Resolves when the portal has said that it listens. */
function listening() {
  return new Promise((resolve, reject) => {
    let said = "";
    for (const output of [portal.stdout, portal.stderr])
      output.setEncoding("utf8").on("data", (text) => {
        said += text;
        if (said.includes(ORIGIN)) resolve();
      });
    void ended.then((code) => reject(new Error(`The portal ended with ${code}:\n${said}`)));
  });
}
