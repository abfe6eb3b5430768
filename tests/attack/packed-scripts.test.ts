import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getRaw } from "../raw-answer";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";

let portal: Portal;
let page: string;

beforeAll(async () => {
  portal = await startPortal();
  const visitor = new Visitor(portal);
  await visitor.accept();
  page = (await visitor.get("/home")).body;
});
afterAll(async () => {
  await portal.stop();
});

test("every script of a page is sent compressed, cached for a year, and unpacks to the same bytes", async () => {
  const scripts = [...page.matchAll(/rel="modulepreload"[^>]*href="([^"]+)"/g)].map(
    (match) => match[1] ?? "",
  );
  expect(scripts.length).toBeGreaterThan(3);
  for (const script of scripts) {
    const plain = await getRaw(portal.port, script, { "Accept-Encoding": "identity" });
    const packed = await getRaw(portal.port, script, { "Accept-Encoding": "gzip, br" });
    expect(packed.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(packed.headers.vary).toContain("Accept-Encoding");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(brotliDecompressSync(packed.body).equals(plain.body)).toBe(true);
  }
});

test("a page preloads scripts only where they will run", () => {
  const preloads = page.match(/<link rel="modulepreload"[^>]*>/g) ?? [];
  expect(preloads.length).toBeGreaterThan(3);
  for (const link of preloads) expect(link).toContain('media="(scripting)"');
});
