import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { type Portal } from "../portal";
import { Visitor } from "../visitor";
import { readPage } from "./account-page";
import { json, sharedAttachedPortal, type HostileBackend } from "./hostile-backend";

let backend: HostileBackend;
let portal: Portal;
beforeAll(async () => {
  ({ backend, portal } = await sharedAttachedPortal());
});
beforeEach(() => {
  backend.reset();
});

/** The code step of a sign-in after the backend has answered with this `sentTo`. */
async function codeScreen(sentTo: unknown): Promise<string> {
  backend.replies.activateSessionInit = json(200, { sentTo });
  const visitor = new Visitor(portal);
  await visitor.accept();
  expect((await visitor.login(ANNA)).header("Location")).toBe("/home/mfa");
  const { status, body } = await visitor.get("/home/mfa");
  expect(status).toBe(200);
  return body;
}

describe("[S6, F13] an attached backend that says where a code went", () => {
  test("is repeated: masked, with three digits", async () => {
    expect(await codeScreen("••• ••• 001")).toMatch(/aria-label="kończący się na 0 0 1"[^>]*>••• ••• 001</);
  });

  test.each([["500100001"], ["••• ••1 001"], ["<b>•</b> 001"], [1], [undefined]])(
    "and says %j is not believed; the customer goes on without",
    async (sentTo) => {
      expect(readPage(await codeScreen(sentTo)).text).toMatch(
        /SMS z kodem wysłaliśmy o \d{1,2}:\d\d\. Kod jest ważny do \d{1,2}:\d\d\./,
      );
    },
  );

  test("is not repeated in an open journey", async () => {
    backend.replies.registerInit = json(200, { sentTo: "••• ••• 001" });
    backend.replies.passwordResetInit = json(200, { sentTo: "••• ••• 001" });
    for (const [first, next, fields] of [
      ["/home/register", "/home/set-password", { policyNo: ANNA.policyNo, pid: ANNA.pid }],
      ["/home/reset-password-init", "/home/reset-password-submit", { username: ANNA.username }],
    ] as const) {
      const visitor = new Visitor(portal);
      await visitor.accept();
      expect((await visitor.post(first, fields)).header("Location")).toBe(next);
      expect((await visitor.post(next, { intent: "send-code" })).header("Location")).toBe(next);
      expect((await visitor.get(next)).body).not.toContain("••• 001");
      // The details are the same, so no other code is sent.
      const calls = backend.received.length;
      expect((await visitor.post(first, fields)).header("Location")).toBe(next);
      expect(backend.received.slice(calls).map(({ name }) => name)).not.toContain("passwordResetInit");
    }
  });
});
