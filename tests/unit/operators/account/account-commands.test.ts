import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Browser, latestCode, needsNoCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, EWA, KRYSTYNA, MARIA } from "../../../demo-customers";
import { ACT } from "../../../operator-command";
import { addApp, appCode, confirmBy, withPassword } from "../../../factor-steps";
import { guess, lock, signIn } from "../../backend/notices/notice-steps";
import { trustedBrowser } from "../../backend/sign-in/trusted-browser";
import { COMMANDS, acted, codeOf, openHelpDesk, type HelpDesk } from "./help-desk";

const WRONG = { username: ANNA.username, password: "Nie-To-Haslo-1" };
const RESET = `/home/api/user/${ANNA.username}/password-reset`;

onAnyDatabase((kind) => {
  describe("[S97] next to a running portal, the help desk", () => {
    let desk: HelpDesk;
    beforeEach(async () => {
      desk = await openHelpDesk(kind);
    });
    afterEach(() => desk.way.close());

    const stateAt = async (browser: Browser) => (await browser.get("/cp/api/profile")).status;
    async function lockIn(browser: Browser): Promise<void> {
      for (let nth = 0; nth < 4; nth += 1) expect(codeOf(await browser.login(WRONG))).toBe("101");
      expect(codeOf(await browser.login(WRONG))).toBe("106");
      expect(codeOf(await browser.login(ANNA))).toBe("106");
    }

    it("unlocks an account, so that a locked-out customer signs in everywhere", async () => {
      const trusted = await trustedBrowser(desk.way);
      const known = await signIn(desk.way, ANNA);
      await lock(desk.way);
      await lockIn(trusted);
      await lockIn(known);
      expect(codeOf(await new Browser(desk.way).login(ANNA))).toBe("106");
      expect(await desk.does("unlock")).toMatchObject({ changed: true, timedLocks: 3, state: "active" });
      for (const browser of [trusted, known, new Browser(desk.way)])
        expect((await browser.login(ANNA)).status).toBe(200);
      expect(await desk.acts()).toEqual([acted("account-unlocked")]);
    });

    it("[S154] shows guessed codes, and lifts what they have stopped", async () => {
      const owner = await signIn(desk.way, ANNA);
      const app = await addApp(desk.way, owner, ANNA, desk.now);
      await guess(desk.way, app, desk.now, 15);
      await desk.way.change("update factor_settings set wrong_in_row = 100");
      const guesses = async () => (await desk.does("show"))["guesses"];
      const stopped = { where: "unknown-browsers", tries: 15, stoppedUntil: expect.any(String) as string };
      expect(await guesses()).toEqual([{ ...stopped, inRow: 100, untilConfirmed: true }]);
      await desk.way.change("update factor_settings set wrong_in_row = 15");
      expect(await guesses()).toEqual([{ ...stopped, inRow: 15, untilConfirmed: false }]);
      expect(await desk.does("unlock")).toMatchObject({ changed: true, factorStops: 1 });
      const stranger = await withPassword(desk.way, ANNA);
      expect((await confirmBy(stranger, "app", appCode(app, desk.now))).status).toBe(200);
      expect(await guesses()).toEqual([]);
      expect(await desk.acts()).toContainEqual(acted("account-unlocked"));
    });

    it("unlocks an account that a person has locked", async () => {
      expect(codeOf(await new Browser(desk.way).login(MARIA))).toBe("106");
      expect(await desk.does("unlock", MARIA)).toMatchObject({ isStateLifted: true, state: "active" });
      await signIn(desk.way, MARIA);
      expect(await desk.acts()).toEqual([acted("account-unlocked")]);
    });

    it("lifts only the lock of a disabled account, and says that it stays disabled", async () => {
      await lock(desk.way, EWA.username);
      expect(codeOf(await new Browser(desk.way).login(EWA))).toBe("106");
      const { stdout } = await desk.run(["unlock", "--username", EWA.username, ...ACT]);
      expect(stdout).toMatch(/^account: [\w-]{36}\nchanged: true\ntimedLocks: 1\n[^]*\nstate: disabled\n$/);
      expect(codeOf(await new Browser(desk.way).login(EWA))).toBe("108");
    });

    it.each([
      ["disable", "disabled", "108"],
      ["expire", "expired", "105"],
    ] as const)(
      "%ss an account: the customer is out at once, until it is enabled",
      async (name, state, code) => {
        const active = await signIn(desk.way, ANNA);
        const pending = new Browser(desk.way);
        await pending.login(ANNA);
        await pending.askForCode();
        const sent = await latestCode(desk.way, ANNA.phone);
        expect(await desk.does(name)).toMatchObject({
          changed: true,
          from: "active",
          ended: { sessions: 2, codes: 1 },
        });
        expect(await stateAt(active)).toBe(401);
        expect((await pending.confirm(sent)).status).toBe(401);
        expect(codeOf(await new Browser(desk.way).login(ANNA))).toBe(code);

        expect(await desk.does("enable")).toMatchObject({ changed: true, from: state, state: "active" });
        expect(await stateAt(active)).toBe(401);
        expect(await stateAt(await signIn(desk.way, ANNA))).toBe(200);
        expect(await desk.acts()).toEqual(
          [`account-${state}`, "sessions-ended", "account-enabled"].map(acted),
        );
      },
    );

    it("ends all sessions, pending ones too, and a password reset that somebody has begun or done", async () => {
      const active = await signIn(desk.way, ANNA);
      const pending = new Browser(desk.way);
      await pending.login(ANNA);
      const resetting = new Browser(desk.way);
      await resetting.post(`${RESET}/init`);
      const authorizationCode = await latestCode(desk.way, ANNA.phone);
      expect(await desk.does("end-sessions")).toMatchObject({ ended: { sessions: 2, codes: 1 } });
      expect(await stateAt(active)).toBe(401);
      expect((await pending.askForCode()).status).toBe(401);
      const payload = { newPassword: "Zupełnie-Nowe-1", authorizationCode };
      expect(codeOf(await resetting.post(`${RESET}/confirm`, payload))).toBe("010");
      expect(await desk.acts()).toEqual([acted("sessions-ended")]);

      await resetting.post(`${RESET}/init`);
      const code = await latestCode(desk.way, ANNA.phone);
      const { newPassword: password } = payload;
      await resetting.post(`${RESET}/confirm`, { ...payload, authorizationCode: code });
      expect(await desk.does("end-sessions")).toMatchObject({ ended: { signInPasses: 1 } });
      expect(await needsNoCode(resetting, { ...ANNA, password })).toBe(false);
    });

    it("forgets all devices: no device is trusted and no browser is known any more, but sessions stay", async () => {
      const trusted = await trustedBrowser(desk.way);
      const known = await signIn(desk.way, ANNA);
      expect(await desk.does("forget-devices")).toMatchObject({
        forgotten: { trustedDevices: 1, knownBrowsers: 2 },
      });
      expect(await stateAt(known)).toBe(200);
      expect(await needsNoCode(trusted, ANNA)).toBe(false);
      await lock(desk.way);
      expect(codeOf(await known.login(ANNA))).toBe("106");
      expect(await desk.acts()).toEqual([acted("devices-forgotten")]);
    });

    it("says so if there is nothing to change, and leaves no event", async () => {
      const nothingToDo = {
        unlock: ANNA,
        disable: EWA,
        enable: ANNA,
        "end-sessions": ANNA,
        "forget-devices": ANNA,
        "reset-factors": ANNA,
        "lock-out": ANNA,
        "use-new-phone": ANNA,
        "keep-old-phone": ANNA,
      };
      for (const [name, customer] of Object.entries(nothingToDo))
        expect(await desk.does(name as keyof typeof nothingToDo, customer), name).toMatchObject({
          changed: false,
        });
      expect(await desk.does("reset-caps")).toMatchObject({ changed: false });
      expect(await desk.acts()).toEqual([]);
    });

    it("is told that enabling doesn't lift a lock, and nothing changes", async () => {
      expect(await desk.run(["enable", "--username", MARIA.username, ...ACT])).toEqual({
        code: 2,
        stdout: "",
        stderr: "portal: this account is locked, not disabled or expired: use account unlock\n",
      });
      expect(codeOf(await new Browser(desk.way).login(MARIA))).toBe("106");
    });

    it("is told by every command but show and reset-caps that a customer has no account", async () => {
      for (const name of COMMANDS.filter((command) => command !== "show" && command !== "reset-caps"))
        expect(await desk.run([name, "--policy-no", KRYSTYNA.policyNo, ...ACT])).toEqual({
          code: 2,
          stdout: "",
          stderr: "portal: this customer has no account\n",
        });
    });

    it("finds the customer by username, policy, account or identifier, in any spelling", async () => {
      const { account } = await desk.does("show");
      const ways: [string, string, string?][] = [
        ["--policy-no", "pol\u2013100 001"],
        ["--account", String(account)],
        ["--pid", "-", " 850214-00129\n"],
      ];
      for (const [option, value, input] of ways) {
        const { stdout } = await desk.run(["show", option, value, ...ACT, "--json"], input);
        expect(JSON.parse(stdout), option).toMatchObject({ account });
      }
    });
  });
});
