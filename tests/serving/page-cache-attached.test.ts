import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../http-request";
import { startPortal, type Portal } from "../portal";
import { openFakeBackend, type FakeBackend } from "../attack/fake-backend";
import { isKept } from "./cached-page";

const CONSENT = "accepted-cookies=true";
const RETURNING = `${CONSENT}; browser=any-value-of-theirs`;
const INFO = "GET /home/api/user/info";

let backend: FakeBackend;
let portal: Portal;

beforeAll(async () => {
  backend = await openFakeBackend();
  portal = await startPortal({ env: { BACKEND_URL: backend.url } });
  while (!isKept(await home(RETURNING)));
});
afterAll(async () => {
  await portal.stop();
  await backend.close();
});
beforeEach(() => {
  backend.replies.clear();
  backend.takeCalls();
});

const home = (Cookie: string) => ask({ port: portal.port, path: "/home", headers: { Cookie } });

test("a new browser is announced to an attached backend once, and gets the cookie it is given", async () => {
  const line = "browser=theirs; Path=/; HttpOnly";
  backend.replies.set("/user/info", { status: 401, body: {}, headers: { "Set-Cookie": line } });
  const answer = await home(CONSENT);
  expect([isKept(answer), answer.status]).toEqual([true, 200]);
  expect(answer.lines("Set-Cookie")).toEqual(["browser=theirs; Path=/; HttpOnly; SameSite=Lax"]);
  expect(backend.takeCalls()).toEqual([INFO]);
});

test("for a returning browser no call is made", async () => {
  expect(isKept(await home(RETURNING))).toBe(true);
  expect(backend.takeCalls()).toEqual([]);
});

test("a backend that fails does not take the start page away", async () => {
  backend.replies.set("/user/info", { status: 500, body: {} });
  const answer = await home(CONSENT);
  expect([isKept(answer), answer.status]).toEqual([true, 200]);
});

test("a backend that asks to wait is asked once, and the page says how long", async () => {
  backend.replies.set("/user/info", {
    status: 503,
    body: { errorCode: "busy", retryAfterSeconds: 7 },
  });
  const answer = await home(CONSENT);
  expect([isKept(answer), answer.status, answer.header("Retry-After")]).toEqual([false, 503, "7"]);
  expect(backend.takeCalls()).toEqual([INFO]);
});

test("a visitor with a session is not answered from memory", async () => {
  expect(isKept(await home(`${RETURNING}; session=${"s".repeat(43)}`))).toBe(false);
});
