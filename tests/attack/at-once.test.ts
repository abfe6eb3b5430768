import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "~/platform/config/limits";
import { ANNA } from "../demo-customers";
import { wrongCode } from "../portal";
import { Visitor } from "../visitor";
import { GROUNDS, startedOn, type Started } from "./ground";
import { count, verdict } from "./sign-in-verdicts";

const FIFTY = Array.from({ length: 50 }, (_, nth) => nth);

describe.each(GROUNDS)("at %s", (ground) => {
  // This tests neither the daily cap on wrong codes nor the longest wait for a hash, which depends on the machine.
  const portalHere = startedOn(ground, { LIMIT_CODE_TRIES_PER_DAY: "100000", LIMIT_HASH_WAIT_MS: "60000" });
  let portal: Started;
  let sessionCookie: string;
  beforeAll(() => {
    portal = portalHere();
    sessionCookie = portal.origin.startsWith("https:") ? "__Host-session" : "session";
  });

  async function newVisitor(): Promise<Visitor> {
    const visitor = new Visitor(portal);
    await visitor.accept();
    return visitor;
  }

  describe("fifty forms at once, all from one browser", () => {
    test.each([2, 5])(
      "[S27, S34] the sign-in form %i times: one message, and one session that takes its code",
      async (times) => {
        const visitor = await newVisitor();
        const before = await portal.messagesTo(ANNA.phone);
        const windows = Array.from({ length: times }, () => visitor.twin());
        const answers = await Promise.all(windows.map((window) => window.login(ANNA)));
        expect(count(answers.map(verdict))).toEqual({ "→ /home/mfa": times });
        expect(await portal.messagesTo(ANNA.phone)).toBe(before + 1);

        const code = await portal.lastCode(ANNA.phone);
        for (const window of windows) expect(verdict(await window.confirm(code))).toBe("→ /cp");
        expect(new Set(windows.map(({ cookies }) => cookies.get(sessionCookie))).size).toBe(1);
      },
    );

    test("[S27] the sign-in form: one message, no lasting lock, and the next try finds the code already sent", async () => {
      const visitor = await newVisitor();
      const before = await portal.messagesTo(ANNA.phone);
      const answers = await Promise.all(FIFTY.map(() => visitor.twin().login(ANNA)));
      // At most five are checked at once, right or wrong; the others have to wait.
      expect(
        Object.keys(count(answers.map(verdict))).filter((one) => !["→ /home/mfa", "106"].includes(one)),
      ).toEqual([]);
      expect(await portal.messagesTo(ANNA.phone)).toBe(before + 1);
      expect(verdict(await visitor.login(ANNA))).toBe("→ /home/mfa");
      expect(await portal.messagesTo(ANNA.phone)).toBe(before + 1);
      expect(verdict(await visitor.confirm(await portal.lastCode(ANNA.phone)))).toBe("→ /cp");
    });

    test("[S24] the right code: every window ends up in the same session, and one device is trusted", async () => {
      const visitor = await newVisitor();
      await visitor.begin(ANNA);
      const code = await portal.lastCode(ANNA.phone);
      const windows = FIFTY.map(() => visitor.twin());
      const answers = await Promise.all(windows.map((window) => window.confirm(code, true)));
      expect(count(answers.map(verdict))).toEqual({ "→ /cp": 50 });
      expect(new Set(windows.map(({ cookies }) => cookies.get(sessionCookie))).size).toBe(1);

      const [window] = windows;
      const profile = await (window ?? visitor).call("GET", "/cp/api/profile");
      expect((JSON.parse(profile.body) as { trustedDevices: unknown[] }).trustedDevices).toHaveLength(1);
      // And the code is used up.
      const again = await newVisitor();
      await again.begin(ANNA);
      expect(
        verdict(await again.confirm(code === (await portal.lastCode(ANNA.phone)) ? wrongCode(code) : code)),
      ).toBe("007");
    });

    test("[S27] the resend button: one more message at most, and on a slow machine one in each second", async () => {
      const visitor = await newVisitor();
      await visitor.begin(ANNA);
      const before = await portal.messagesTo(ANNA.phone);
      const began = performance.now();
      const answers = await Promise.all(
        FIFTY.map(() => visitor.twin().post("/home/mfa", { intent: "send-code" })),
      );
      expect(count(answers.map(verdict))).toEqual({ "→ /home/mfa": 50 });
      const seconds = Math.floor((performance.now() - began) / LIMITS.RESEND_THROTTLE_MS);
      expect((await portal.messagesTo(ANNA.phone)) - before).toBeLessThanOrEqual(1 + seconds);
    });

    test("[S37] signing out while pages load: each answer is a page or a redirect, and then the session is over", async () => {
      const visitor = await newVisitor();
      await visitor.signIn(ANNA);
      const answers = await Promise.all(
        FIFTY.map((nth) => (nth % 2 === 0 ? visitor.twin().post("/home/logout") : visitor.twin().get("/cp"))),
      );
      expect(
        [...new Set(answers.map(({ status }) => status))].filter(
          (status) => ![200, 302, 303].includes(status),
        ),
      ).toEqual([]);
      expect((await visitor.get("/cp")).header("Location")).toBe("/home");
    });
  });

  test("after all of this the portal has logged no error", () => {
    expect(portal.log()).not.toMatch(/"level":"error"/);
  });
});
