import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockOut } from "~/backend/support/account-state.server";
import { Browser, latestCode, needsNoCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { addApp, bodyOf } from "../../../factor-steps";
import { ACT } from "../../../operator-command";
import { addPasskey, LOCALHOST, PasskeyDevice } from "../../../passkey-device";
import { noticesTo, signIn } from "../../backend/notices/notice-steps";
import { trustedBrowser } from "../../backend/sign-in/trusted-browser";
import { accountIdOf, acted, bySupport, openHelpDesk, supportBeside, type HelpDesk } from "./help-desk";

onAnyDatabase((kind) => {
  describe("[S97] account lock-out, for a lost phone", () => {
    let desk: HelpDesk;
    beforeEach(async () => {
      desk = await openHelpDesk(kind, {}, { SMS_NOTICES: "on" });
    });
    afterEach(() => desk.way.close());

    const events = async () => (await desk.acts()).map(({ event }) => event).sort();

    it("ends sessions and codes, and forgets devices, but leaves the factors", async () => {
      const trusted = await trustedBrowser(desk.way);
      const known = await signIn(desk.way, ANNA);
      const pending = new Browser(desk.way);
      await pending.login(ANNA);
      await pending.askForCode();
      const sent = await latestCode(desk.way, ANNA.phone);
      expect(await desk.does("lock-out")).toMatchObject({
        changed: true,
        ended: { sessions: 2, codes: 1, signInPasses: 0 },
        forgotten: { trustedDevices: 1, knownBrowsers: 2, signInPasses: 0 },
      });
      expect((await known.get("/cp/api/profile")).status).toBe(401);
      expect((await pending.confirm(sent)).status).toBe(401);
      expect(await needsNoCode(trusted, ANNA)).toBe(false);
      expect(await desk.acts()).toEqual(["sessions-ended", "devices-forgotten"].map(acted));
      await signIn(desk.way, ANNA);
    });

    it("removes the second factors, too, when asked to, and tells the customer", async () => {
      const owner = await signIn(desk.way, ANNA);
      await addApp(desk.way, owner, ANNA, desk.now);
      const before = await noticesTo(desk.way);
      const words = ["lock-out", "--username", ANNA.username, "--reset-factors", ...ACT];
      const lockedOut = async () => JSON.parse((await desk.run([...words, "--json"])).stdout) as unknown;
      expect(await lockedOut()).toMatchObject({
        changed: true,
        ended: { sessions: 1 },
        forgotten: { knownBrowsers: 1 },
        factors: { factors: 1, recoveryCode: true },
        notes: [expect.any(String)],
      });
      expect(await events()).toEqual(["devices-forgotten", "factors-reset", "sessions-ended"]);
      expect(await noticesTo(desk.way)).toHaveLength(before.length + 1);
      const again = await signIn(desk.way, ANNA);
      expect(bodyOf(await again.get("/cp/api/factors"))).toMatchObject({ factors: [] });
      expect(await lockedOut()).toMatchObject({ factors: null });
    });

    it("says that a passkey is left, which signs in without a password; account show says which", async () => {
      const owner = await signIn(desk.way, ANNA);
      const google = "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4";
      const device = new PasskeyDevice(LOCALHOST, { discoverable: true, copies: true, aaguid: google });
      await addPasskey(desk.way, owner, ANNA, "Telefon", device);
      expect(await desk.does("show")).toMatchObject({
        factors: {
          factors: [{ passkey: { signsIn: true, copied: true, maker: "Google Password Manager" } }],
        },
      });
      expect(await desk.does("lock-out")).toMatchObject({ passkeysLeft: 1 });
      const words = ["lock-out", "--username", ANNA.username, ...ACT];
      expect((await desk.run(words)).stdout).toContain("A passkey still signs in, ");
      expect((await desk.run([...words, "--reset-factors"])).stdout).not.toContain("A passkey still");
    });

    it("does all of it or nothing", async () => {
      const browser = await signIn(desk.way, ANNA);
      await addApp(desk.way, browser, ANNA, desk.now);
      const deps = await supportBeside(desk.way, () => desk.now);
      const act = { accountId: await accountIdOf(desk.way), source: bySupport() };
      await desk.way.change("alter table trusted_devices rename to trusted_away");
      await expect(lockOut(deps, act, { withFactors: true })).rejects.toThrow();
      await desk.way.change("alter table trusted_away rename to trusted_devices");
      expect((await browser.get("/cp/api/profile")).status).toBe(200);
      expect(bodyOf(await browser.get("/cp/api/factors"))).toMatchObject({ factors: [{ kind: "app" }] });
      expect(await desk.acts()).toEqual([]);
      await deps.store.close();
    });
  });
});
