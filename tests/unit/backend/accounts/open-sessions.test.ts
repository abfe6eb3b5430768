import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import type { Browser } from "../../../contract/browser";
import { hasPostgres, onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { signIn } from "../notices/notice-steps";
import { duringSignIn } from "../sign-in/sign-in-under-way";
import { fifty, openTestBackend, type TestBackend } from "../test-backend";
import { trustedBrowser } from "../sign-in/trusted-browser";

const MINUTE = 60_000;
const SESSIONS = "/cp/api/sessions";

onAnyDatabase((kind) => {
  describe("[S40] the session list", () => {
    let way: TestBackend;
    let browser: Browser;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
      browser = await trustedBrowser(way);
    });
    afterEach(() => way.close());

    const listed = async (at: Browser) =>
      ((await at.get(SESSIONS)).body as CallResponse<"sessions">).sessions;
    /** Other windows with a session each. They come one by one, so that none is taken for a doubled submit. */
    const windows = async (count: number) => {
      const opened: Browser[] = [];
      for (let nth = 0; nth < count; nth += 1) {
        const window = browser.twin();
        expect((await window.login(ANNA)).status).toBe(200);
        opened.push(window);
      }
      return opened;
    };

    it("has the session last used first, with its own times, and none that has ended by the clock", async () => {
      const start = Date.parse("2026-11-20T12:00:00.000Z");
      const [first, second] = await windows(2);
      way.advance(10 * MINUTE);
      await first?.get("/home/api/user/info");
      const at = (minutes: number) => new Date(start + minutes * MINUTE).toISOString();
      if (!first || !second) throw new Error("no window opened");
      expect(await listed(first)).toMatchObject([
        { startedAt: at(0), lastSeenAt: at(10), current: true },
        { startedAt: at(0), lastSeenAt: at(0), current: false },
      ]);
      way.advance(5 * MINUTE);
      expect(await listed(first)).toMatchObject([{ current: true }]);
    });

    it("keeps the start and the device of a session whose password changed in it", async () => {
      const [window] = await windows(1);
      if (!window) throw new Error("no window opened");
      const before = await listed(window);
      way.advance(MINUTE);
      const path = `/home/api/user/${ANNA.username}/password-reset`;
      await window.post(`${path}/init`);
      const code = /\d{6}/.exec((await way.outbox())[0]?.text ?? "")?.[0];
      const payload = { newPassword: "Zupełnie-Nowe-1", authorizationCode: code };
      expect((await window.post(`${path}/confirm`, payload)).status).toBe(200);
      const [session, ...others] = await listed(window);
      expect(others).toEqual([]);
      expect(session).toMatchObject({ startedAt: before[0]?.startedAt, current: true });
      expect(session?.id).not.toBe(before[0]?.id);
    });

    it("keeps at most one of ten sessions that end all others at the same moment, and nothing breaks", async () => {
      const opened = await windows(10);
      const answers = await Promise.all(opened.map((window) => window.delete(SESSIONS)));
      for (const { status } of answers) expect([204, 401]).toContain(status);
      expect((await way.query("select id from sessions")).length).toBeLessThanOrEqual(1);
    });

    it("ends fifty sessions at once by their ids, each once", async () => {
      const [here] = await windows(1);
      if (!here) throw new Error("no window opened");
      await windows(50);
      const others = (await listed(here)).filter(({ current }) => !current);
      expect(others).toHaveLength(50);
      const answers = await fifty(
        async (nth) => (await here.delete(`${SESSIONS}/${others[nth]?.id ?? ""}`)).status,
      );
      expect(new Set(answers)).toEqual(new Set([204]));
      expect(await listed(here)).toHaveLength(1);
      const ended = await way.query("select id from audit_events where event = 'sessions-ended'");
      expect(ended).toHaveLength(50);
    });
  });
});

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  it("[S40] ending all other sessions also ends one that a sign-in is still creating", async () => {
    const way = await openTestBackend({ kind: "postgres" });
    const here = await signIn(way, ANNA);
    const { browser, signedIn, value } = await duringSignIn(way, () => here.delete(SESSIONS));
    expect([signedIn.status, value.status]).toEqual([200, 204]);
    expect((await browser.get(SESSIONS)).status).toBe(401);
    expect((await here.get(SESSIONS)).status).toBe(200);
    await way.close();
  });
});
