import { beforeAll, describe, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import type { HttpAnswer } from "../http-request";
import { Visitor } from "../visitor";
import { GROUNDS, startedOn, type Started } from "./ground";

const FIFTY = Array.from({ length: 50 }, (_, nth) => nth);

/** The outcome of a sign-in form: the next address, or the code of the refusal that the page shows. */
function verdict({ status, header, body }: HttpAnswer): string {
  if (status === 303) return `→ ${header("Location") ?? ""}`;
  if (body.includes("Konto zablokowane")) return "106";
  return `${status}: ${body.slice(0, 200)}`;
}

/** How often each verdict was given. */
function count(verdicts: readonly string[]): Readonly<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const one of verdicts) counted[one] = (counted[one] ?? 0) + 1;
  return counted;
}

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

  // The contract proves each at the backend, also for the resend button.
  describe("fifty forms at once, all from one browser", () => {
    test("[S27, S34] the sign-in form: one message, no lasting lock, and the next try finds the code already sent", async () => {
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
