import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packedFilesIn, servePackedFile } from "~/front-door/packed-files.server";

const packed: ReadonlySet<string> = new Set(["/assets/ui.js"]);

function ask(url: string, encodings: string | undefined) {
  const request = { url, headers: { "accept-encoding": encodings } } as unknown as IncomingMessage;
  const headers = new Map<string, string>();
  const response = { setHeader: (name: string, value: string) => headers.set(name, value) };
  const taken = servePackedFile(request, response as unknown as ServerResponse, packed);
  return { taken, url: request.url, headers: Object.fromEntries(headers) };
}

test.each(["br", "gzip, deflate, br", "gzip,BR;q=0.8", "br ; q=1", "br;q=0.01, gzip"])(
  "a client that accepts brotli (%s) gets the packed file",
  (encodings) => {
    expect(ask("/assets/ui.js", encodings)).toEqual({
      taken: true,
      url: "/assets/ui.js.br",
      headers: { "Content-Encoding": "br", "Content-Type": "text/javascript; charset=utf-8" },
    });
  },
);

test.each([undefined, "", "gzip", "identity", "brotli", "br;q=0", "gzip, br;q=0.000", "xbr"])(
  "a client that doesn't (%s) gets the file itself",
  (encodings) => {
    expect(ask("/assets/ui.js", encodings)).toEqual({ taken: false, url: "/assets/ui.js", headers: {} });
  },
);

test.each(["/assets/other.js", "/assets/ui.js.br", "/assets/ui.js?x", "/home"])(
  "everything else is left alone: %s",
  (url) => {
    expect(ask(url, "br")).toEqual({ taken: false, url, headers: {} });
  },
);

test("packed files are listed by the addresses of their originals; without a build there are none", () => {
  const folder = mkdtempSync(join(tmpdir(), "assets-"));
  for (const name of ["a.js", "a.js.br", "b.js", "c.css.br"]) writeFileSync(join(folder, name), "");
  expect([...packedFilesIn(folder, "/assets/")]).toEqual(["/assets/a.js"]);
  expect(packedFilesIn(join(folder, "gone"), "/assets/").size).toBe(0);
  rmSync(folder, { recursive: true });
});
