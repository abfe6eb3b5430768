import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openVisit } from "~/visit/visit.server";
import { never, replies, reset } from "./backend-stub";
import { CONSENT, SESSION, visit } from "./visit";

beforeEach(() => {
  reset();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("signing out takes a second at most, even if the backend never answers", async () => {
  replies.deleteSession = never;
  const leaving = visit("/home/logout", { method: "POST", cookies: { ...CONSENT, session: SESSION } });
  let isOut = false;
  const ended = leaving.run(async (args) => (await openVisit(args)).signOut()).then(() => (isOut = true));

  await vi.advanceTimersByTimeAsync(999);
  expect(isOut).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await ended;
  expect(leaving.setCookies.find((line) => line.startsWith("session="))).toMatch(/^session=; Max-Age=0;/);
});
