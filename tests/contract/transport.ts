import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CALLS } from "~/contract/calls.server";
import { ANNA } from "../demo-customers";
import { Browser, wrongCode } from "./browser";
import { leftOut } from "./left-out";
import type { Way } from "./way";

const calls = Object.values(CALLS).flatMap((call) =>
  (call.path.includes("{mode}") ? ["create", "change"] : [""]).map((mode) => ({
    ...call,
    path: call.path.replace("{mode}", mode).replace("{username}", ANNA.username).replace("{id}", "1"),
  })),
);
const withBody = calls.filter(({ method }) => method === "POST" || method === "PUT");

/** The attributes of a cookie in alphabetical order, except its lifetime and `Secure`. */
function flagsOf(line: string): readonly string[] {
  return line
    .toLowerCase()
    .split(/;\s*/)
    .slice(1)
    .filter((flag) => flag !== "secure" && !/^(max-age|expires)=/.test(flag))
    .toSorted();
}

/** Expects that a call, which is 404 without a session, is 404 in one as well. */
export async function expectMissing(
  way: Way,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<void> {
  const browser = new Browser(way);
  await browser.signIn(ANNA);
  const { status } = await browser.send(method, path, method === "PUT" ? {} : undefined);
  expect(status, `${method} ${path} is 404 without a session, but not in one`).toBe(404);
}

/** The promises about every call. */
export function transportPromises(way: () => Way): void {
  const json = (path: string, method: string, body: BodyInit, type = "application/json") =>
    way().fetch(path, { method, body, headers: { "Content-Type": type } });

  it("an unknown path is 404; a known one with another method is 405 with Allow", async () => {
    for (const path of [
      "/home/api/",
      "/home/api/auth/login/",
      "/cp/api/nothing",
      "/cp/api/doc-pwd/other/init",
    ]) {
      expect(
        (await way().fetch(path, { method: path.includes("doc-pwd") ? "PUT" : "POST" })).status,
        path,
      ).toBe(404);
    }
    const wrong = await way().fetch("/home/api/auth/login");
    expect([wrong.status, wrong.headers.get("Allow")]).toEqual([405, "POST"]);
  });

  it("[S118] an address that can't be decoded is refused with JSON", async () => {
    for (const path of ["/home/api/%zz", "/home/api/user/%ff/password-reset", "/cp/api/documents/%c3%28"]) {
      const answer = await way().fetch(path);
      expect([400, 404], path).toContain(answer.status);
      expect([answer.headers.get("Content-Type"), await answer.json()]).toEqual([
        expect.stringMatching(/^application\/json/),
        expect.any(Object),
      ]);
    }
  });

  it("a body over 16 KB is 413; one whose type is not JSON is 415", async () => {
    const large = JSON.stringify({ username: "a", password: "b".repeat(16 * 1024) });
    for (const { path, method, mayBeMissing } of withBody) {
      const { status } = await json(path, method, large);
      if (mayBeMissing && way().mayLeaveOut === true && status === 404) continue;
      expect(status, path).toBe(413);
      expect((await json(path, method, "a=b", "application/x-www-form-urlencoded")).status, path).toBe(415);
      expect((await json(path, method, "{}", "application/json; charset=latin1")).status, path).toBe(415);
    }
  });

  it("a payload that breaks its schema is 422 and names the fields", async () => {
    const answer = await json("/home/api/auth/login", "POST", '{"username": 1}');
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { errorCode: "invalid", fields: ["username", "password"] },
    ]);
    for (const body of ["{", "[]", "null", '"text"', "[[[[", "\u0000"]) {
      expect((await json("/home/api/auth/login", "POST", body)).status, body).toBe(422);
    }
    expect((await json("/home/api/auth/login", "POST", new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(422);
  });

  it("a call that takes {} also takes an empty body, with or without a type", async () => {
    const bare = await way().fetch("/home/api/user/init", { method: "POST" });
    expect(bare.status).toBe(401);
    expect((await json("/home/api/user/init", "POST", "")).status).toBe(401);
  });

  it("every answer is JSON or empty, is never cached, and sets the browser cookie", async () => {
    for (const { path, method } of [...calls, { path: "/home/api/nothing", method: "GET" }]) {
      const answer = await way().fetch(path, { method });
      expect(answer.headers.get("Cache-Control"), path).toBe("no-store");
      if (answer.status !== 204)
        expect(answer.headers.get("Content-Type"), path).toMatch(/^application\/json/);
      const lines = answer.headers.getSetCookie();
      expect(lines, path).toContainEqual(expect.stringMatching(/^[^;]+=[^;]{16,};/));
      for (const line of lines) expect(flagsOf(line), path).toEqual(["httponly", "path=/", "samesite=lax"]);
    }
  });

  it("a browser that has its cookie gets no other", async () => {
    const browser = new Browser(way());
    await browser.get("/home/api/user/info");
    const again = await browser.get("/home/api/user/info");
    expect(again.setCookies).toEqual([]);
  });

  describe("without a session, and with a pending one", () => {
    it.for(calls.filter(({ access }) => access !== "always"))(
      "$method $path",
      async ({ method, path, access, mayBeMissing }, context) => {
        const payload = method === "GET" || method === "DELETE" ? undefined : {};
        const browser = new Browser(way());
        const signedOut = await browser.send(method, path, payload);
        if (mayBeMissing && signedOut.status === 404) {
          await expectMissing(way(), { method, path });
          leftOut(way(), context, "the backend doesn't offer this call");
        }
        if (access === "open" || access === "signed-out") expect([200, 422]).toContain(signedOut.status);
        else expect([signedOut.status, signedOut.body]).toEqual([401, {}]);

        await browser.login(ANNA);
        const pending = await browser.send(method, path, payload);
        if (["session", "session-or-repeat", "signed-out"].includes(access))
          expect([200, 422]).toContain(pending.status);
        else expect([pending.status, pending.body]).toEqual([409, {}]);
      },
    );
  });

  it("hostile payloads never cause a 5xx or return a secret", async () => {
    const secret = `Sekretne-Haslo-${wrongCode("000000")}`;
    const hostile = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("\u0000", "\uD800", "💥", "<b>", "a".repeat(5000), "' or 1=1 --"),
    );
    const keys = fc.constantFrom(
      "username",
      "password",
      "authorizationCode",
      "deviceName",
      "trustDevice",
      "__proto__",
      "policyNo",
      "pid",
      "newPassword",
      "newUsername",
      "authToken",
      "resend",
      "method",
      "response",
      "id",
      "code",
      "name",
      "on",
    );
    const payloads = fc.dictionary(keys, hostile, { maxKeys: 7 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...withBody), payloads, async ({ path, method }, payload) => {
        const answer = await json(
          path,
          method,
          JSON.stringify({ ...payload, password: payload.password ?? secret }),
        );
        expect(answer.status).toBeLessThan(500);
        expect(await answer.text()).not.toContain(secret);
      }),
      { numRuns: 120 },
    );
  });

  it("a confirm with a character that no database can store is 422", async () => {
    const path = "/home/api/user/login-remind/confirm";
    expect((await json(path, "POST", JSON.stringify({ policyNo: "\0" }))).status).toBe(422);
  });

  it("hostile cookies are ignored", async () => {
    for (const cookie of [
      "session=",
      "session=%00",
      "session=' or 1=1",
      "browser=x; session=y",
      ";;;=;",
      "session",
    ]) {
      const answer = await way().fetch("/home/api/user/info", { headers: { Cookie: cookie } });
      expect(answer.status, cookie).toBe(401);
    }
  });
}
