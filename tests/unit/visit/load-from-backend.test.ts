import { beforeEach, expect, it } from "vitest";
import { loadFromBackend, openVisit, valueIfOffered } from "~/visit/visit.server";
import { ACCOUNT_BARRED } from "~/visit/flow.server";
import { calls, json, replies, reset } from "./backend-stub";
import { CONSENT, SESSION, endOf, visit } from "./visit";

beforeEach(reset);

const asking = () =>
  endOf(
    visit("/cp", { cookies: { ...CONSENT, session: SESSION } }).run(async (args) =>
      loadFromBackend(await openVisit(args), "policies"),
    ),
  );

const POLICY = { policyNo: "POL-100001", name: "OC", validFrom: "2026-01-01", validTo: "2026-12-31" };

it("a signed-in screen shows what the backend says", async () => {
  replies.policies = () => json(200, { policies: [POLICY] });
  expect(await asking()).toEqual({ kind: "in", value: { policies: [POLICY] } });
});

const PREMIUM = {
  amount: "129.00",
  currency: "PLN",
  dueOn: "2026-12-10",
  paidUntil: null,
  account: "PL75999000010000000000100001",
  title: null,
};

it("a policy's premium is shown, with the day of which it is or without", async () => {
  const policies = [PREMIUM, { ...PREMIUM, asOf: "2026-11-28" }].map((premium) => ({ ...POLICY, premium }));
  replies.policies = () => json(200, { policies });
  expect(await asking()).toEqual({ kind: "in", value: { policies } });
});

it.each<unknown>([
  null,
  "129.00",
  { ...PREMIUM, amount: 129 },
  { ...PREMIUM, amount: "129,00" },
  { ...PREMIUM, currency: "USD" },
  { ...PREMIUM, dueOn: "10.12.2026" },
  { ...PREMIUM, account: "PL75999000010000000000100002" },
  { ...PREMIUM, title: "" },
  { ...PREMIUM, asOf: "yesterday" },
  { amount: "129.00", currency: "PLN" },
])("a policy whose premium is %j is shown without money", async (premium) => {
  replies.policies = () => json(200, { policies: [{ ...POLICY, premium }] });
  expect(await asking()).toEqual({ kind: "in", value: { policies: [POLICY] } });
});

it.each([
  [401, "/home"],
  [409, "/home/mfa"],
  [404, "/service"],
  [500, "/service"],
  [502, "/service"],
])("%i leads to %s, and signs nobody out", async (status, to) => {
  replies.policies = () => json(status, {});
  expect(await asking()).toEqual({ kind: "redirect", status: 302, to });
  expect(calls).toEqual(["policies"]);
});

it.each([
  [429, "rate-limited", 60],
  [503, "busy", 2],
] as const)("%i says how long to wait", async (status, errorCode, retryAfterSeconds) => {
  replies.policies = () => json(status, { errorCode, retryAfterSeconds });
  expect(await asking()).toEqual({ kind: "thrown", status, retryAfter: String(retryAfterSeconds) });
});

it("a refusal from the catalogue is a failure: a screen without a form can't show it", async () => {
  replies.policies = () => json(400, { errorCode: "101" });
  expect(await asking()).toEqual({ kind: "redirect", status: 302, to: "/service" });
});

it.each(["105", "106", "108"])(
  "[F6] %s in the middle of a session signs the customer out, and the start page says why",
  async (errorCode) => {
    replies.policies = () => json(400, { errorCode });
    replies.deleteSession = () => json(204, undefined);
    const visiting = visit("/cp", { cookies: { ...CONSENT, session: SESSION } });
    const end = await endOf(visiting.run(async (args) => loadFromBackend(await openVisit(args), "policies")));
    expect(end).toEqual({ kind: "redirect", status: 302, to: "/home" });
    expect(calls).toEqual(["policies", "deleteSession"]);
    const next = visit("/home", { cookies: { ...CONSENT, flow: visiting.cookie("flow") ?? "" } });
    expect(await next.run(async (args) => (await openVisit(args)).takeNotice())).toEqual(ACCOUNT_BARRED);
  },
);

/** A call that a backend may leave out. */
const askingOptional = () =>
  endOf(
    visit("/cp/profile", { cookies: { ...CONSENT, session: SESSION } }).run(async (args) => {
      const opened = await openVisit(args);
      return valueIfOffered(opened, await opened.backend.call("sessions", {}));
    }),
  );

it("what the backend offers is shown", async () => {
  replies.sessions = () => json(200, { sessions: [] });
  expect(await askingOptional()).toEqual({ kind: "in", value: { sessions: [] } });
});

it.each([{}, "<h1>404</h1>"])("what it doesn't offer is left out: 404 with %j", async (body) => {
  replies.sessions = () => json(404, body);
  expect(await askingOptional()).toEqual({ kind: "in", value: undefined });
});

it.each([
  [500, {}],
  [503, { errorCode: "busy", retryAfterSeconds: 30 }],
  [429, { errorCode: "rate-limited", retryAfterSeconds: 30 }],
])("what can't be had right now takes nothing else down: %i", async (status, body) => {
  replies.sessions = () => json(status, body);
  expect(await askingOptional()).toEqual({ kind: "in", value: "unavailable" });
});

it.each([
  [401, "/home"],
  [409, "/home/mfa"],
])("an answer about the session is treated as on any other screen: %i leads to %s", async (status, to) => {
  replies.sessions = () => json(status, {});
  expect(await askingOptional()).toEqual({ kind: "redirect", status: 302, to });
});
