import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import vnu from "vnu-jar";
import { startPortal, type Portal } from "../../portal";
import { faultsIn, galleryPages } from "../../serving/html-faults";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(async () => {
  await portal.stop();
});

const JAVA = spawnSync("java", ["-version"]).status === 0;
if (!JAVA) console.warn("THE W3C CHECKER DID NOT RUN: it needs Java (java -version says nothing here).");

test("every screen in every state of the gallery is valid HTML", async () => {
  expect(await faultsIn(await galleryPages(portal))).toEqual({});
});

test.skipIf(!JAVA)("the W3C checker finds nothing in any of them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  for (const [path, html] of await galleryPages(portal))
    writeFileSync(join(folder, `${path.slice(1).replaceAll("/", "_")}.html`), html);
  const { stderr } = spawnSync("java", ["-jar", vnu, "--format", "json", folder], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  rmSync(folder, { recursive: true });
  const { messages } = JSON.parse(stderr.slice(stderr.indexOf("{"))) as { messages: readonly Remark[] };
  const said = messages.filter(({ message }) => !KNOWN.some((pattern) => pattern.test(message)));
  expect([...new Set(said.map(({ message, extract = "" }) => `${message} (${extract.trim()})`))]).toEqual([]);
});

/** One remark of the checker. */
interface Remark {
  readonly message: string;
  readonly extract?: string;
}

/** Accepted: attributes not yet standard, and styles, which other tests check against browsers. */
const KNOWN: readonly RegExp[] = [
  /^Attribute “(passwordrules|autocorrect)” not allowed/,
  /^The “inputmode” attribute is not supported in all browsers/,
  /^Trailing slash on void elements/,
  /^CSS: /,
];
