import { beforeEach, expect, it, vi } from "vitest";
import { openVisit, valueIfOffered } from "~/visit/visit.server";
import { json, replies, reset } from "./backend-stub";
import { CONSENT, SESSION, endOf, visit } from "./visit";

vi.mock("~/platform/telemetry/log.server", () => ({ log: () => ({ error: () => undefined }) }));

beforeEach(reset);

const asking = () =>
  endOf(
    visit("/cp/profile", { cookies: { ...CONSENT, session: SESSION } }).run(async (args) => {
      const opened = await openVisit(args);
      return valueIfOffered(opened, await opened.backend.call("sessions", {}));
    }),
  );

it("what the backend offers is shown", async () => {
  replies.sessions = () => json(200, { sessions: [] });
  expect(await asking()).toEqual({ kind: "in", value: { sessions: [] } });
});

it.each([{}, "<h1>404</h1>"])("what it doesn't offer is left out: 404 with %j", async (body) => {
  replies.sessions = () => json(404, body);
  expect(await asking()).toEqual({ kind: "in", value: undefined });
});

it.each([
  [500, {}],
  [503, { errorCode: "busy", retryAfterSeconds: 30 }],
  [429, { errorCode: "rate-limited", retryAfterSeconds: 30 }],
])("what can't be had right now takes nothing else down: %i", async (status, body) => {
  replies.sessions = () => json(status, body);
  expect(await asking()).toEqual({ kind: "in", value: "unavailable" });
});

it.each([
  [401, "/home"],
  [409, "/home/mfa"],
])("an answer about the session is treated as on any other screen: %i leads to %s", async (status, to) => {
  replies.sessions = () => json(status, {});
  expect(await asking()).toEqual({ kind: "redirect", status: 302, to });
});
