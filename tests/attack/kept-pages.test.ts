import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEPT_SCREENS } from "~/journeys/kept-screens";
import { startPortal, type Portal } from "../portal";
import { getRaw } from "../raw-answer";
import { expectDecent } from "./decency";
import { BROWSER, headersOf, isKept, kept, masked, maskedRaw, RETURNING, visitorWith } from "./kept-page";

let portal: Portal;

beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

const SCREENS = Object.entries(KEPT_SCREENS).flatMap(([path, sameFor]) =>
  (sameFor === "everybody" ? [RETURNING, {}] : [RETURNING]).flatMap((cookies) =>
    ["pl", "en"].map((language) => ({ path, cookies: { ...cookies, language } })),
  ),
);

describe("a page from memory", () => {
  // First in this file: the first answer of each page is the app's.
  it.each(SCREENS)("is the page that the app renders: $path, $cookies", async ({ path, cookies }) => {
    const rendered = await visitorWith(portal, cookies).get(path);
    expect(isKept(rendered)).toBe(false);
    const fromMemory = await kept(visitorWith(portal, cookies), path);
    expect(fromMemory.status).toBe(200);
    expect(masked(fromMemory)).toBe(masked(rendered));
    expect(headersOf(fromMemory)).toEqual(headersOf(rendered));
    expectDecent(fromMemory, path);
  });

  it("[S51] has a nonce of its own in every answer, and a reference number", async () => {
    const visitor = visitorWith(portal, RETURNING);
    const nonces = new Set<string | undefined>();
    const references = new Set<string | undefined>();
    for (let nth = 0; nth < 100; nth += 1) {
      const answer = await kept(visitor, "/home");
      const [, nonce = "none"] = /'nonce-([^']+)'/.exec(answer.header("Content-Security-Policy") ?? "") ?? [];
      const scripts = answer.body.match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(1);
      for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
      const reference = answer.header("X-Request-Id") ?? "none";
      expect(answer.body).toContain(`Numer zgłoszenia: ${reference}, `);
      nonces.add(nonce);
      references.add(reference);
    }
    expect([nonces.size, references.size]).toEqual([100, 100]);
  });

  it("names the host that the visitor came to", async () => {
    for (const host of [`localhost:${portal.port}`, "Portal.Example", "a.b.c.example:8443"]) {
      const { body } = await kept(visitorWith(portal, RETURNING), "/home", { Host: host });
      expect(body).toContain(` ${host.toLowerCase()}. `);
      expect(body).not.toContain(new URL(portal.origin).host);
    }
  });

  it("is the same packed: by gzip, by brotli quickly and at its best", async () => {
    const Cookie = `accepted-cookies=true; browser=${BROWSER.browser}`;
    const ask = (encodings: string) =>
      getRaw(portal.port, "/home", {
        Cookie,
        "Accept-Encoding": encodings,
        Host: `127.0.0.1:${portal.port}`,
      });
    const expected = masked(await kept(visitorWith(portal, RETURNING), "/home"));
    const quick = (await ask("gzip, br")).body.length;
    let isAtItsBest = false;
    while (!isAtItsBest) {
      const { headers, body } = await ask("gzip, br");
      expect([headers["content-encoding"], headers.vary]).toEqual(["br", "Accept-Encoding"]);
      expect(maskedRaw(brotliDecompressSync(body), headers)).toBe(expected);
      // Far more than the values of an answer can change.
      isAtItsBest = body.length < 0.95 * quick;
    }
    const zipped = await ask("gzip, br;q=0");
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(maskedRaw(gunzipSync(zipped.body), zipped.headers)).toBe(expected);
    const plain = await ask("identity");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(maskedRaw(plain.body, plain.headers)).toBe(expected);
  });

  it("HEAD gets its headers and nothing else, as a stranger would", async () => {
    const page = await kept(visitorWith(portal, {}), "/home/cookies");
    const head = await visitorWith(portal, RETURNING).send("HEAD", "/home/cookies");
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(headersOf(head)).toEqual(headersOf(page));
  });
});

describe("[S104] the page of a rejected request comes from memory, too", () => {
  const DEEP = "/a".repeat(17);

  it.each(["pl", "en"])("in the visitor's language: %s", async (language) => {
    const visitor = visitorWith(portal, { language });
    const rendered = await visitor.get(DEEP);
    const fromMemory = await kept(visitor, DEEP);
    expect([isKept(rendered), fromMemory.status]).toEqual([false, 404]);
    expect(masked(fromMemory)).toBe(masked(rendered));
    expect(headersOf(fromMemory)).toEqual(headersOf(rendered));
  });

  it("each status has its own, and a 405 says what is allowed", async () => {
    const visitor = visitorWith(portal, RETURNING);
    expect((await kept(visitor, `/home?${"a".repeat(2000)}`)).status).toBe(414);
    for (let nth = 0; nth < 3; nth += 1) {
      const answer = await visitor.send("PUT", "/home");
      expect([answer.status, answer.header("Allow")]).toEqual([405, "GET, HEAD, POST"]);
      expectDecent(answer, "PUT");
    }
  });

  it("its own address leads nowhere from outside", async () => {
    await kept(visitorWith(portal, RETURNING), DEEP);
    expect(isKept(await visitorWith(portal, RETURNING).get("/refused/404"))).toBe(false);
  });
});
