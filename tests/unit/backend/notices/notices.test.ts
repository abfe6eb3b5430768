import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NoticeEvent } from "~/contract/notices";
import { septets } from "~/i18n/sms-texts.server";
import { metricsText } from "~/platform/telemetry/metrics.server";
import { Browser, wrongCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import {
  CAUSES,
  FACTS,
  NOTICES,
  OWN_EVENTS,
  codeOf,
  lock,
  noticesTo,
  ok,
  replay,
  signIn,
} from "./notice-steps";
import { NOON, openTestBackend, type TestBackend } from "../test-backend";

/** Some changes need an earlier one, which causes a notice, too. */
const BEGINS_WITH: Partial<Record<NoticeEvent, NoticeEvent>> = {
  "device-replayed": "device-trusted",
  "factor-removed": "factor-added",
  "recovery-code-used": "factor-added",
  "recovery-code-new": "factor-added",
  "sms-at-sign-in": "factor-added",
  "factor-guessed": "factor-added",
};

const wrongPassword = { ...ANNA, password: "Nie-To-Haslo-1" };

onAnyDatabase((kind) => {
  describe("[S96] SMS notices", () => {
    let way: TestBackend;
    beforeEach(async () => {
      way = await openTestBackend({ kind, noticeTexts: NOTICES });
    });
    afterEach(() => way.close());

    it.each(OWN_EVENTS)("are sent after %s, once, to the number on the policy", async (event) => {
      const series = `portal_sms_notices_total{event="${event}"} `;
      const counted = async () => Number((await metricsText()).split(series)[1]?.split("\n")[0]);
      const before = await counted();
      await CAUSES[event](way);
      const sent = await noticesTo(way);
      const first = BEGINS_WITH[event];
      const textOf = (one: NoticeEvent) => NOTICES[one]({ at: NOON, ...FACTS[one] });
      expect(sent).toEqual([event, ...(first === undefined ? [] : [first])].map(textOf));
      expect(sent[0]).toContain(" 20.11.2026 13:00 ");
      expect(septets(sent[0] ?? "")).toBeLessThanOrEqual(160);
      expect(sent[0]).not.toMatch(/\d{6}|https?:|www\.|@|#/);
      expect(await noticesTo(way, PIOTR.phone)).toEqual([]);
      expect(await counted()).toBe(before + 1);
    });

    it("are not sent for a wrong code, a refusal, or fewer wrong passwords than lock", async () => {
      const browser = await signIn(way, ANNA);
      const path = `/home/api/user/${ANNA.username}/password-reset`;
      ok(await browser.post(`${path}/init`));
      const right = await codeOf(way);
      for (const payload of [
        { newPassword: "Nowe-Haslo-2026", authorizationCode: wrongCode(right) },
        { newPassword: ANNA.password, authorizationCode: right },
      ])
        expect((await browser.post(`${path}/confirm`, payload)).status).toBe(400);
      for (let nth = 0; nth < 4; nth += 1) await new Browser(way).login(wrongPassword);
      expect(await noticesTo(way)).toEqual([]);
    });

    it("are not sent to a number that gets no messages, and don't count towards any cap", async () => {
      await way.close();
      way = await openTestBackend({ kind, noticeTexts: NOTICES, smsPrefixes: ["+44"] });
      await lock(way);
      expect(await way.outbox()).toEqual([]);
      const used = "select bucket from windows where bucket like 'notices|%' order by bucket";
      for (const { bucket } of await way.query(used)) expect(bucket).toMatch(/^notices\|nothing/);
    });

    it("fail no request, even if the number can't be decrypted", async () => {
      const browser = await signIn(way, ANNA, "Y");
      await way.change("update customers set phone_sealed = '1.AAAA'");
      await replay(browser);
      for (let nth = 0; nth < 5; nth += 1)
        expect((await new Browser(way).login(wrongPassword)).body).toMatchObject({
          errorCode: nth < 4 ? "101" : "106",
        });
      const logged = way.logged.filter((line) => line.includes('"event":"sms-notice-not-written"'));
      expect(logged).toHaveLength(2);
    });

    it("are kept with the change or not at all", async () => {
      const browser = await signIn(way, ANNA);
      const path = `/home/api/user/${ANNA.username}/login-change`;
      ok(await browser.post(`${path}/init`));
      const change = { newUsername: "anna.nowa.nazwa", authorizationCode: await codeOf(way) };
      await way.change("alter table outbox rename to outbox_away");
      const { status } = await browser.post(`${path}/confirm`, change);
      await way.change("alter table outbox_away rename to outbox");
      expect(status).toBe(500);
      expect(await way.query("select username from accounts where username = ?", change.newUsername)).toEqual(
        [],
      );
      expect(await way.query("select bucket from windows where bucket like 'notices|%'")).toEqual([]);
    });
  });
});
