import { readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { getRaw } from "../raw-answer";
import { Visitor } from "../visitor";
import { sharedPortal } from "../shared-portal";

const portal = sharedPortal();
let visitor: Visitor;
beforeAll(async () => {
  visitor = new Visitor(portal);
  await visitor.accept();
});

/** The one script of a page, as the page names it. */
const SCRIPT = /<script type="module" src="(\/assets\/entry\.client-[\w-]+\.js)"><\/script>/;

test("[S51, S87] a page has one script, which is a file of ours, and nothing else for scripts", async () => {
  await visitor.signIn(ANNA);
  const signedOut = new Visitor(portal);
  await signedOut.accept();
  for (const [who, paths] of [
    [visitor, ["/cp", "/cp/profile", "/home/change-password", "/nie-ma"]],
    [signedOut, ["/home", "/home/register", "/home/cookies", "/service"]],
  ] as const)
    for (const path of paths) {
      const { body } = await who.get(path);
      expect(body.match(/<script/g), path).toHaveLength(1);
      expect(body.split("</head>")[0], path).toMatch(SCRIPT);
      expect(body, path).not.toMatch(/modulepreload|__remix| nonce=| style="| on\w+="|javascript:/);
    }
});

test("[S51] two answers with the same page are the same, but for the reference number and the date", async () => {
  const stranger = new Visitor(portal);
  await stranger.accept();
  const answers = [await stranger.get("/home/register?a"), await stranger.get("/home/register?a")];
  const [one, other] = answers.map(({ body, headerNames, lines }) => ({
    body,
    headers: headerNames.map((name) => (/^(date|x-request-id)$/.test(name) ? name : [name, ...lines(name)])),
  }));
  expect(other).toEqual(one);
});

test("[S51] only our own files are sent as scripts, cached for a year and packed on their way", async () => {
  const files = readdirSync("build/client/assets").filter((name) => name.endsWith(".js"));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const { status, headers, body } = await getRaw(portal.port, `/assets/${file}`, {
      "Accept-Encoding": "br",
    });
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(/^(application|text)\/javascript/);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    // Packing would make a very short one longer.
    if (body.length > 200) expect(headers["content-encoding"]).toBe("br");
  }
  for (const path of ["/favicon.svg", "/robots.txt", "/documents/regulamin-portalu.pdf", "/assets/gone.js"])
    expect((await getRaw(portal.port, path, {})).headers["content-type"], path).not.toMatch(/script/);
});

test("[F42] a file is given whole, and promises no ranges", async () => {
  const { status, headers } = await getRaw(portal.port, "/documents/regulamin-portalu.pdf", {
    Range: "bytes=0-9",
  });
  expect([status, headers["accept-ranges"], headers["content-range"]]).toEqual([200, undefined, undefined]);
  expect(headers["cache-control"]).not.toBe("no-store");
});

test("remix-serve's own app answers files, and neither folders nor what is missing", async () => {
  const file = await visitor.get("/favicon.svg");
  expect([file.status, file.header("Last-Modified")]).toEqual([200, expect.any(String)]);
  for (const path of ["/assets/none.js", "/assets", "/documents/", "/package.json"]) {
    const { status, header } = await visitor.get(path);
    expect([path, status, header("Content-Type")]).toEqual([path, 404, "text/html; charset=utf-8"]);
  }
});
