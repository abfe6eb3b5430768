import { beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../http-request";
import type { Portal } from "../portal";
import { json, sharedAttachedPortal, type HostileBackend } from "../attack/hostile-backend";
import { isKept } from "./cached-page";

const CONSENT = "accepted-cookies=true";
const RETURNING = `${CONSENT}; browser=any-value-of-theirs`;

let backend: HostileBackend;
let portal: Portal;

beforeAll(async () => {
  ({ backend, portal } = await sharedAttachedPortal());
  while (!isKept(await home(RETURNING)));
});
beforeEach(() => {
  backend.reset();
});

const calls = () => backend.received.map(({ name }) => name);
const home = (Cookie: string) => ask({ port: portal.port, path: "/home", headers: { Cookie } });

test("a new browser is announced to an attached backend once, and gets the cookie it is given", async () => {
  const line = "browser=theirs; Path=/; HttpOnly";
  backend.replies.userInfo = json(401, {}, { "Set-Cookie": line });
  const answer = await home(CONSENT);
  expect([isKept(answer), answer.status]).toEqual([true, 200]);
  expect(answer.lines("Set-Cookie")).toEqual(["browser=theirs; Path=/; HttpOnly; SameSite=Lax"]);
  expect(calls()).toEqual(["userInfo"]);
});

test("for a returning browser no call is made", async () => {
  expect(isKept(await home(RETURNING))).toBe(true);
  expect(calls()).toEqual([]);
});

test("a backend that fails does not take the start page away", async () => {
  backend.replies.userInfo = json(500, {});
  const answer = await home(CONSENT);
  expect([isKept(answer), answer.status]).toEqual([true, 200]);
});

test("a backend that asks to wait is asked once, and the page says how long", async () => {
  backend.replies.userInfo = json(503, { errorCode: "busy", retryAfterSeconds: 7 });
  const answer = await home(CONSENT);
  expect([isKept(answer), answer.status, answer.header("Retry-After")]).toEqual([false, 503, "7"]);
  expect(calls()).toEqual(["userInfo"]);
});

test("a visitor with a session is not answered from memory", async () => {
  expect(isKept(await home(`${RETURNING}; session=${"s".repeat(43)}`))).toBe(false);
});
