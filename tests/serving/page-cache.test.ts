import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CACHED_SCREENS } from "~/journeys/cached-screens";
import { startPortal, type Portal } from "../portal";
import { getRaw } from "../raw-answer";
import { expectDecent } from "../attack/decency";
import { BROWSER, CONSENT, headersOf, isKept, kept, RETURNING, visitorWith } from "./cached-page";

let portal: Portal;

beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

const SCREENS = Object.entries(CACHED_SCREENS).flatMap(([path, sameFor]) =>
  (sameFor === "everybody" ? [RETURNING, {}] : [RETURNING]).flatMap((cookies) =>
    ["pl", "en"].map((language) => ({ path, cookies: { ...cookies, language } })),
  ),
);

/** Headers that a server might write into a page. */
const HEADERS = [
  "User-Agent",
  "Accept",
  "Accept-Language",
  "Referer",
  "Forwarded",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-Forwarded-Proto",
  "X-Real-IP",
  "X-Request-Id",
  "If-None-Match",
];

describe("a page from memory", () => {
  // First in this file: the first answer of each page is the app's.
  it.each(SCREENS)(
    "is the page that the app renders, and has nothing of the first visitor: $path, $cookies",
    async ({ path, cookies }) => {
      const canary = "Kanarek";
      const first = visitorWith(portal, { ...cookies, "trusted-device": canary, [canary]: canary });
      const headers = Object.fromEntries([...HEADERS, `X-${canary}`].map((name) => [name, `/${canary}`]));
      const rendered = await first.get(path, { headers });
      expect(isKept(rendered)).toBe(false);
      await kept(first, path, headers);
      const fromMemory = await kept(visitorWith(portal, cookies), path);
      expect(fromMemory.status).toBe(200);
      expect(fromMemory.body).toBe(rendered.body);
      expect(headersOf(fromMemory)).toEqual(headersOf(rendered));
      expect(fromMemory.body + headersOf(fromMemory).join()).not.toContain(canary);
      expectDecent(fromMemory, path);
    },
  );

  it("[S51] is the same for everybody, byte by byte", async () => {
    const bodies = new Set<string>();
    for (const Host of ["Portal.Example", "a.b.c.example:8443", `localhost:${portal.port}`])
      bodies.add((await kept(visitorWith(portal, RETURNING), "/home", { Host })).body);
    bodies.add((await kept(visitorWith(portal, { ...CONSENT, browser: "c".repeat(43) }), "/home")).body);
    expect(bodies.size).toBe(1);
    expect([...bodies].join()).not.toMatch(/portal\.example|a\.b\.c|localhost/i);
  });

  it("is the same packed, by gzip or by brotli", async () => {
    const Cookie = `accepted-cookies=true; browser=${BROWSER.browser}`;
    const askFor = (encodings: string) =>
      getRaw(portal.port, "/home", {
        Cookie,
        "Accept-Encoding": encodings,
        Host: `127.0.0.1:${portal.port}`,
      });
    const expected = (await kept(visitorWith(portal, RETURNING), "/home")).body;
    for (const [encodings, encoding, unpack] of [
      ["gzip, br", "br", brotliDecompressSync],
      ["gzip, br;q=0", "gzip", gunzipSync],
      ["identity", undefined, (body: Buffer) => body],
    ] as const) {
      const { headers, body } = await askFor(encodings);
      expect([headers["content-encoding"], headers.vary]).toEqual([encoding, "Accept-Encoding"]);
      expect(unpack(body).toString()).toBe(expected);
    }
  });

  it("HEAD gets its headers and nothing else, as a stranger would", async () => {
    const page = await kept(visitorWith(portal, {}), "/home/cookies");
    const head = await visitorWith(portal, RETURNING).send("HEAD", "/home/cookies");
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(headersOf(head)).toEqual(headersOf(page));
  });
});
