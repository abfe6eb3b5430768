import { beforeAll, beforeEach, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { type Portal } from "../portal";
import { Visitor } from "../visitor";
import { json, sharedAttachedPortal, type HostileBackend } from "./hostile-backend";

let backend: HostileBackend;
let portal: Portal;
beforeAll(async () => {
  ({ backend, portal } = await sharedAttachedPortal());
});
beforeEach(() => {
  backend.reset();
});

/** A visitor whose password was right. */
async function pending(): Promise<Visitor> {
  const visitor = new Visitor(portal);
  await visitor.accept();
  await visitor.login(ANNA);
  return visitor;
}

test.each([
  ["rate-limited", 429, 480, "Spróbuj ponownie za 8"],
  ["busy", 503, 7, "Spróbuj ponownie za 7 sekund"],
])("[F6] %s on a GET: a page of ours with the time in words", async (errorCode, status, seconds, words) => {
  const visitor = await pending();
  await visitor.confirm("123456");
  backend.replies.policies = json(status, { errorCode, retryAfterSeconds: seconds });
  const page = await visitor.get("/cp");
  expect([page.status, page.header("Retry-After")]).toEqual([status, String(seconds)]);
  const main = /<main[\s\S]*<\/main>/.exec(page.body)?.[0].replaceAll("\u00a0", " ");
  expect(main).toContain(words);
  expect(main).not.toContain("Coś poszło nie tak");
  backend.reset();
  expect((await visitor.get("/cp")).status).toBe(200);
});

test("[F6] a code of the catalogue on a form without its field ends the journey like any other error", async () => {
  const visitor = await pending();
  backend.replies.activateSessionConfirm = json(400, { errorCode: "012" });
  const { status, body } = await visitor.confirm("123456");
  expect(status).toBe(400);
  expect(body).toMatch(/<dialog[^>]* open/);
  expect(body).toContain("012");
  expect(visitor.cookies.has("session")).toBe(false);
});
