import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { addApp, type AddedApp, appCode, bodyOf, confirmBy, withPassword } from "../../../factor-steps";
import { ACT } from "../../../operator-command";
import { codesTo, noticesTo, signIn } from "../../backend/notices/notice-steps";
import { acted, openHelpDesk, type HelpDesk } from "./help-desk";

const FACTORS = "/cp/api/factors";

onAnyDatabase((kind) => {
  describe("[S97] account reset-factors", () => {
    let desk: HelpDesk;
    beforeEach(async () => {
      desk = await openHelpDesk(kind, {}, { SMS_NOTICES: "on" });
    });
    afterEach(() => desk.way.close());

    /** ANNA with an app, and SMS at sign-in switched off. */
    async function withSmsOff(): Promise<{ owner: Browser; app: AddedApp }> {
      const owner = await signIn(desk.way, ANNA);
      const app = await addApp(desk.way, owner, ANNA, desk.now);
      const proof = { authorizationCode: appCode(app, desk.now), method: "app" };
      bodyOf(await owner.put(`${FACTORS}/sms`, { ...proof, on: false }));
      return { owner, app };
    }

    it("takes app, recovery code and the SMS switched off, ends all access, and tells the customer", async () => {
      const { owner, app } = await withSmsOff();
      const trusted = await withPassword(desk.way, ANNA);
      bodyOf(await confirmBy(trusted, "app", appCode(app, desk.now, 1), "Y"));
      const pending = await withPassword(desk.way, ANNA);
      const before = await noticesTo(desk.way);

      expect(await desk.does("reset-factors")).toEqual({
        account: expect.stringMatching(/^[\w-]{36}$/) as string,
        changed: true,
        factors: 1,
        recoveryCode: true,
        smsWasOff: true,
        trustedDevices: 1,
        ended: { sessions: 3, codes: 0, signInPasses: 0 },
      });
      for (const browser of [owner, trusted]) expect((await browser.get(FACTORS)).status).toBe(401);
      expect((await pending.askForCode()).status).toBe(401);
      const acts = await desk.acts();
      expect(acts.map(({ event }) => event).sort()).toEqual(["factors-reset", "sessions-ended"]);
      expect(acts).toContainEqual(acted("factors-reset"));
      const [notice, ...others] = await noticesTo(desk.way);
      expect(others).toEqual(before);
      expect(notice).toContain("infolini");

      bodyOf(await trusted.login(ANNA));
      expect((await trusted.post("/home/api/user/init")).status).toBe(409);
      const sent = (await codesTo(desk.way)).length;
      const again = await signIn(desk.way, ANNA);
      expect(await codesTo(desk.way)).toHaveLength(sent + 1);
      expect(bodyOf(await again.get(FACTORS))).toMatchObject({ factors: [], recoveryCode: null, sms: true });
    });

    it("says of an account without factors what to do instead, sends nothing, and leaves no event", async () => {
      const browser = await signIn(desk.way, ANNA);
      const { code, stdout, stderr } = await desk.run(["reset-factors", "--username", ANNA.username, ...ACT]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^account: [\w-]{36}\nchanged: false\nnotes:\n[^]*lock-out[^]*use-new-phone/);
      expect((await browser.get(FACTORS)).status).toBe(200);
      expect(await desk.acts()).toEqual([]);
      expect(await noticesTo(desk.way)).toEqual([]);
    });
  });
});
