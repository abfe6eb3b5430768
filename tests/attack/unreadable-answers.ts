import { gzipSync } from "node:zlib";
import { json, type Reply } from "./hostile-backend";

const JSON_TYPE = { "Content-Type": "application/json" };
// White space before an object is valid JSON, so only the size of these answers is wrong.
const MEGABYTE = Buffer.alloc(1024 * 1024, " ");
const BOMB = gzipSync(`${" ".repeat(64 * MEGABYTE.length)}{}`);

/** Answers that no backend should give, but that an insurer's network will produce sooner or later. */
export const UNREADABLE: readonly (readonly [what: string, reply: Reply])[] = [
  ["nothing and an open connection", () => undefined],
  ["nothing and a closed connection", (response) => response.socket?.destroy()],
  [
    "a head and never a body",
    (response) => {
      response.writeHead(200, { ...JSON_TYPE, "Content-Length": "2" });
      response.flushHeaders();
    },
  ],
  [
    "half a body",
    (response) => {
      response.writeHead(200, { ...JSON_TYPE, "Content-Length": "400" });
      response.write('{"name":"Anna', () => response.socket?.destroy());
    },
  ],
  [
    "a byte now and then",
    (response) => {
      response.writeHead(200, JSON_TYPE);
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => {
        clearInterval(drip);
      });
    },
  ],
  ["a redirect", json(302, {}, { Location: "/elsewhere" })],
  ["a redirect that keeps method and body", json(307, {}, { Location: "/elsewhere" })],
  ["500", json(500, { errorCode: "101" })],
  ["a proxy's 502 page", (response) => response.writeHead(502).end("<h1>Bad Gateway</h1>")],
  ["403", json(403, {})],
  ["404", json(404, {})],
  ["a page with 200", (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<html>")],
  ["invalid JSON", (response) => response.writeHead(200, JSON_TYPE).end("{,}")],
  ["a list", json(200, [])],
  ["null", json(200, null)],
  ["a refusal without a code", json(400, {})],
  ["a refusal whose code is an object", json(400, { errorCode: { $gt: "" } })],
  ["429 with a page", (response) => response.writeHead(429).end("<h1>Slow down</h1>")],
  ["204 where an object belongs", (response) => response.writeHead(204).end()],
  [
    "ten megabytes",
    (response) => {
      response.writeHead(200, { ...JSON_TYPE, "Content-Length": String(10 * MEGABYTE.length + 2) });
      for (let nth = 0; nth < 10; nth += 1) response.write(MEGABYTE);
      response.end("{}");
    },
  ],
  [
    "ten megabytes in chunks of undeclared length",
    (response) => {
      response.writeHead(200, JSON_TYPE);
      for (let nth = 0; nth < 10; nth += 1) response.write(MEGABYTE);
      response.end("{}");
    },
  ],
  [
    "64 MB compressed into 64 KB",
    (response) => response.writeHead(200, { ...JSON_TYPE, "Content-Encoding": "gzip" }).end(BOMB),
  ],
  [
    "a body that claims to be packed, and isn't",
    (response) => response.writeHead(200, { ...JSON_TYPE, "Content-Encoding": "gzip" }).end("{}"),
  ],
  ["no HTTP at all", (response) => response.socket?.end("220 mail.example ESMTP\r\n")],
  [
    "a hundred cookies of 4 KB",
    json(200, {}, { "Set-Cookie": Array.from({ length: 100 }, (_, nth) => `c${nth}=${"x".repeat(4000)}`) }),
  ],
];
