import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import { IS_RELEASE } from "../release-run";
import { json, startHostileBackend, type HostileBackend, type Reply } from "./hostile-backend";

const CREDENTIALS = { username: "anna.nowak", password: "Demo-Haslo-2026" };
/** Instead of three seconds, since some of these tests wait this long; a busy machine answers within it. */
const BACKEND_MS = 1500;

let backend: HostileBackend;
let portal: Portal;
beforeAll(async () => {
  backend = await startHostileBackend();
  portal = await startPortal({
    env: {
      BACKEND_URL: backend.url,
      LIMIT_BACKEND_MS: String(BACKEND_MS),
      LIMIT_SIGN_OUT_MS: String(BACKEND_MS),
      LIMIT_BACKEND_ANSWER_BYTES: "500000",
    },
  });
});
afterAll(async () => {
  await portal.stop();
  await backend.stop();
});
beforeEach(() => {
  backend.reset();
});

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor(portal);
  await visitor.accept();
  await visitor.login(CREDENTIALS);
  expect((await visitor.confirm("123456")).header("Location")).toBe("/cp");
  return visitor;
}

/** A place where a portal reads a backend's answer: it never shows more than its own error page. */
interface Place {
  readonly what: string;
  readonly prove: (reply: Reply) => Promise<void>;
}

const PLACES: readonly Place[] = [
  {
    what: "a POST signs out and leads to the error page, which loads",
    prove: async (reply) => {
      const visitor = await signedIn();
      backend.replies.loginChangeInit = reply;
      const answer = await visitor.post("/home/confirm-login", { intent: "change" });
      expect([answer.status, answer.header("Location")]).toEqual([303, "/service"]);
      expect(visitor.cookies.has("session")).toBe(false);
      expect(backend.received.map(({ name }) => name)).toContain("deleteSession");
      expect((await visitor.get("/service")).status).toBe(200);
      expect(backend.astray).toEqual([]);
    },
  },
  {
    what: "the sign-in form does the same, and nobody is half signed in",
    prove: async (reply) => {
      const visitor = new Visitor(portal);
      await visitor.accept();
      backend.replies.login = reply;
      const answer = await visitor.login(CREDENTIALS);
      expect([answer.status, answer.header("Location")]).toEqual([303, "/service"]);
      expect(visitor.cookies.has("session")).toBe(false);
      expect(backend.received.filter(({ name }) => name === "login")).toHaveLength(1);
      expect(backend.astray).toEqual([]);
    },
  },
  {
    what: "a screen of the customer area leads to the error page, and the session survives",
    prove: async (reply) => {
      const visitor = await signedIn();
      backend.replies.policies = reply;
      const answer = await visitor.get("/cp");
      expect([answer.status, answer.header("Location")]).toEqual([302, "/service"]);
      expect(visitor.cookies.get("session")).toBe("active");
      backend.reset();
      expect((await visitor.get("/cp")).status).toBe(200);
    },
  },
  {
    what: "the visitor look-up: a signed-out screen is shown, a signed-in one leads to the error page",
    prove: async (reply) => {
      const stranger = new Visitor(portal);
      await stranger.accept();
      const visitor = await signedIn();
      backend.replies.userInfo = reply;
      expect((await stranger.get("/home")).body).toContain('name="username"');
      expect((await visitor.get("/cp")).header("Location")).toBe("/service");
      expect((await visitor.get("/service")).status).toBe(200);
      expect(visitor.cookies.get("session")).toBe("active");
    },
  },
  {
    what: "a sign-out still ends the session in the browser, within three seconds",
    prove: async (reply) => {
      const visitor = await signedIn();
      backend.replies.deleteSession = reply;
      const began = performance.now();
      expect((await visitor.post("/home/logout")).header("Location")).toBe("/home/logout");
      // Less than the 3 s that any other call may take.
      expect(performance.now() - began).toBeLessThan(2900);
      expect(visitor.cookies.has("session")).toBe(false);
    },
  },
];

const JSON_TYPE = { "Content-Type": "application/json" };
// White space before an object is valid JSON, so only the size of these answers is wrong.
const MEGABYTE = Buffer.alloc(1024 * 1024, " ");
const BOMB = gzipSync(`${" ".repeat(64 * MEGABYTE.length)}{}`);

/**
 * Answers that no backend should give, but that an insurer's network will produce sooner or later. unit/visit's
 * backend-client.test.ts has each status and each wrong body.
 */
const UNREADABLE: readonly (readonly [what: string, reply: Reply])[] = [
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

/** Each answer at one place and each place with several answers; before a release each with each. */
const PAIRS = UNREADABLE.flatMap(([answer, reply], row) =>
  PLACES.flatMap(({ what, prove }, column) =>
    IS_RELEASE || row % PLACES.length === column ? [{ answer, what, prove: () => prove(reply) }] : [],
  ),
);

test.each(PAIRS)("[S70] when a backend answers a call with $answer: $what", ({ prove }) => prove());
