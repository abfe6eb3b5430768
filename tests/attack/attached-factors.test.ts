import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CallName } from "~/contract/calls.server";
import { ANNA } from "../demo-customers";
import { type Portal } from "../portal";
import { Visitor } from "../visitor";
import { expectNotRun } from "./decency";
import { json, sharedAttachedPortal, type HostileBackend, type Reply } from "./hostile-backend";

const NOW = "2026-11-20T12:00:00.000Z";
const MARKUP = "<script>alert(1)</script><svg/onload=alert(1)>";
const app = { id: "a", kind: "app", name: "Telefon", addedAt: NOW, lastUsedAt: null };
const listOf = (factors: readonly object[]) =>
  json(200, { offered: ["app"], factors, recoveryCode: null, sms: true });
const OPTIONS = { challenge: "A".repeat(43), rpId: "portal.example" };
const manyPasskeys = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({ id: `AAAA${nth}`.padEnd(40, "A"), type: "public-key" }));
const byPasskey = (options: object) => json(200, { methods: ["passkey", "sms"], method: "passkey", options });

/** Enough for a page with a section, whatever the section holds. */
const MOST_BYTES = 200_000;

let backend: HostileBackend;
let portal: Portal;
let visitor: Visitor;
beforeAll(async () => {
  ({ backend, portal } = await sharedAttachedPortal());
});
beforeEach(async () => {
  backend.reset();
  visitor = new Visitor(portal);
  await visitor.accept();
  await visitor.login(ANNA);
});

describe("an attached backend's second factors", () => {
  test.each<[string, Reply]>([
    ["5,000 of them", listOf(Array.from({ length: 5000 }, (_, nth) => ({ ...app, id: `a${nth}` })))],
    ["with markup for a name", listOf([{ ...app, id: MARKUP, name: MARKUP }])],
    ["of a kind that the portal doesn't know", listOf([{ ...app, kind: "hologram" }])],
  ])("%s: My Data shows them as far as it can", async (_, factors) => {
    await visitor.confirm("123456");
    Object.assign(backend.replies, { factors });
    const answer = await visitor.get("/cp/profile");
    expect(answer.status).toBe(200);
    expect(answer.body).toContain("Drugi krok logowania");
    expect(answer.body.length).toBeLessThan(MOST_BYTES);
    expectNotRun(answer);
  });

  test.each<[string, Partial<Record<CallName, Reply>>]>([
    [
      "thousands of methods",
      { activateSessionInit: json(200, { methods: Array.from({ length: 5000 }, String), method: "0" }) },
    ],
    [
      "a method that isn't among them",
      { activateSessionInit: json(200, { methods: ["app"], method: "sms" }) },
    ],
  ])("%s at a sign-in: the screen for a code comes, and can be left", async (_, replies) => {
    Object.assign(backend.replies, replies);
    const asked = await visitor.post("/home/mfa", { intent: "send-code" });
    expect(asked.status).toBe(303);
    const screen = await visitor.get("/home/mfa");
    expect(screen.status).toBe(200);
    expect(screen.body).toContain("Potwierdź, że to Ty");
    expect((await visitor.get("/home/mfa?method=recovery")).status).toBe(200);
    expect((await visitor.post("/home/mfa", { intent: "back" })).status).toBe(303);
  });

  test.each<[string, object]>([
    ["thousands of passkeys", { ...OPTIONS, allowCredentials: manyPasskeys(5000) }],
    ["a challenge of 100,000 letters", { ...OPTIONS, challenge: "A".repeat(100_000) }],
    ["no challenge", { rpId: "portal.example" }],
  ])("options with %s are an answer that can't be used", async (_, options) => {
    Object.assign(backend.replies, { activateSessionInit: byPasskey(options) });
    const asked = await visitor.post("/home/mfa", { intent: "send-code" });
    expect([asked.status, asked.header("Location")]).toEqual([303, "/service"]);
  });

  test.each<[string, Reply]>([
    ["without options", json(200, { methods: ["passkey"], method: "passkey" })],
    ["with markup in them", byPasskey({ ...OPTIONS, rpId: MARKUP })],
    ["too large for a cookie", byPasskey({ ...OPTIONS, allowCredentials: manyPasskeys(90) })],
  ])("a passkey %s: the screen comes, and another way or the way back", async (_, activateSessionInit) => {
    Object.assign(backend.replies, { activateSessionInit });
    expect((await visitor.post("/home/mfa", { intent: "send-code" })).status).toBe(303);
    const screen = await visitor.get("/home/mfa");
    expect(screen.status).toBe(200);
    expect(screen.body).toContain("Użyj klucza dostępu");
    expectNotRun(screen);
    const wrong = await visitor.post("/home/mfa?method=passkey", { method: "passkey", response: "{}" });
    expect(wrong.status).toBeLessThan(500);
    expect((await visitor.post("/home/mfa", { intent: "back" })).status).toBe(303);
  });

  test("a passkey that it refuses as soon as it is asked for: no page leads round in a circle", async () => {
    Object.assign(backend.replies, { activateSessionInit: byPasskey(OPTIONS) });
    await visitor.post("/home/mfa", { intent: "send-code" });
    const invalid = json(422, { errorCode: "invalid", fields: ["method"] });
    Object.assign(backend.replies, {
      activateSessionInit: invalid,
      activateSessionConfirm: json(400, { errorCode: "007" }),
    });
    const wrong = { method: "passkey", response: "{}", intent: "confirm" };
    const answer = await visitor.post("/home/mfa?method=passkey", wrong);
    const page = answer.status < 400 ? await visitor.get(answer.header("Location") ?? "") : answer;
    expect(page.body).toContain("Wyślij kod autoryzacyjny");
  });

  test.each<[string, Reply]>([
    ["without a secret", json(200, { id: "a", uri: "otpauth://totp/x" })],
    ["that leads elsewhere", json(200, { id: "a", secret: "A".repeat(32), uri: "javascript:alert(1)" })],
    ["of 100,000 letters", json(200, { id: "a", secret: "A".repeat(100_000), uri: "otpauth://totp/x" })],
  ])(
    "a prepared app %s is an answer that can't be used, and nothing of it is shown",
    async (_, appPrepare) => {
      await visitor.confirm("123456");
      Object.assign(backend.replies, { factors: listOf([]), appPrepare });
      const answer = await visitor.post("/home/add-app", { intent: "confirm", authorizationCode: "123456" });
      expect([answer.status, answer.header("Location")]).toEqual([303, "/service"]);
    },
  );
});
