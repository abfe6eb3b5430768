import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HtmlValidate } from "html-validate";
import { afterAll, beforeAll, expect, test } from "vitest";
import vnu from "vnu-jar";
import { ask } from "../../http-request";
import { startPortal, type Portal } from "../../portal";

const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // React's own style: `<input/>`, `async=""`, `&#x27;`, no white space.
    "void-style": ["error", { style: "selfclosing" }],
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "no-trailing-whitespace": "off",
    "doctype-style": ["error", { style: "uppercase" }],
    // The policy allows the one style sheet by its hash, and scripts that are our own files.
    "no-inline-style": "error",
    "require-sri": "off",
    // A label around its switch has `for` too, since some voice controls only read the attribute.
    "no-redundant-for": "off",
    // Phone numbers in texts have hard spaces.
    "tel-non-breaking": "off",
    // A title says where the visitor is; it needn't be short for search engines, which don't come here.
    "long-title": "off",
  },
});

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
  const faults = new Map<string, string>();
  for (const [path, html] of await pages())
    for (const fault of await faultsOf(html)) if (!faults.has(fault)) faults.set(fault, path);
  expect(Object.fromEntries(faults)).toEqual({});
});

test.skipIf(!JAVA)("the W3C checker finds nothing in any of them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  for (const [path, html] of await pages())
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

/** The gallery and every page it links to, as served. */
async function pages(): Promise<ReadonlyMap<string, string>> {
  const get = async (path: string) => (await ask({ port: portal.port, path })).body;
  const gallery = await get("/demo/gallery");
  const states = [...gallery.matchAll(/href="(\/demo\/gallery\/[^"]+)"/g)].map((match) => match[1] ?? "");
  expect(states.length).toBeGreaterThan(60);
  const found = new Map([["/demo/gallery", gallery]]);
  for (const path of ["/demo/sms", ...states]) found.set(path, await get(path));
  return found;
}

async function faultsOf(html: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? ""})`),
  );
}
