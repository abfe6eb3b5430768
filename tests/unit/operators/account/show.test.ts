import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { ACT, runCommand } from "../../../operator-command";
import { startSmsapiServer } from "../../../smsapi-server";
import { lock, signIn } from "../../backend/notices/notice-steps";
import { variablesOf } from "../../backend/test-place";
import { trustedBrowser } from "../../backend/sign-in/trusted-browser";
import { acted, openHelpDesk, type HelpDesk, TIME } from "./help-desk";

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

onAnyDatabase((kind) => {
  describe("[S97] account show", () => {
    let desk: HelpDesk;
    beforeEach(async () => {
      desk = await openHelpDesk(kind);
    });
    afterEach(() => desk.way.close());

    it("says what a help desk needs, as JSON with times in ISO, and is audited each time", async () => {
      const trusted = await trustedBrowser(desk.way);
      await signIn(desk.way, ANNA);
      const pending = new Browser(desk.way);
      await pending.login(ANNA);
      await lock(desk.way);
      await trusted.login({ ...ANNA, password: "Nie-To-Haslo-1" });
      expect(await desk.does("show")).toMatchObject({
        account: expect.stringMatching(/^[\w-]{36}$/) as string,
        customerKind: "individual",
        state: "active",
        username: "a•••ak",
        phone: "••• ••• 001",
        registeredAt: "2026-11-20T12:00:00.000Z",
        policies: { all: 3, validToday: 3 },
        premiums: [
          { policyNo: "POL-100001", premium: { amount: "129.00", currency: "PLN" } },
          { policyNo: "POL-110001", premium: { amount: "412.50" } },
          { policyNo: "POL-120001", premium: { amount: "86.40", dueOn: null } },
        ],
        tries: [
          { where: "unknown-browsers", tries: 5, lockedUntil: ISO },
          { where: "trusted-device", deviceName: "Firefox, Linux", tries: 1 },
        ],
        trustedDevices: [{ deviceName: "Firefox, Linux", until: ISO }],
        knownBrowsers: 2,
        usedUpCaps: [],
        lastSignIn: { at: ISO },
      });
      const { sessions, events, documentPasswordSetAt } = (await desk.does("show")) as Record<
        string,
        object[]
      >;
      expect(sessions).toHaveLength(2);
      expect(sessions).toContainEqual(expect.objectContaining({ state: "pending", startedAt: ISO }));
      expect(events).toHaveLength(10);
      expect(events?.slice(0, 3)).toMatchObject(
        ["account-shown", "password-wrong", "sign-in-locked"].map((event) => ({ event, at: ISO })),
      );
      expect(documentPasswordSetAt).toBeUndefined();
      expect(await desk.acts()).toEqual(["account-shown", "account-shown"].map(acted));
    });

    it("says the same in lines for people, with times in Poland and their zone", async () => {
      await signIn(desk.way, PIOTR, "Y");
      await lock(desk.way, PIOTR.username);
      const { stdout } = await desk.run(["show", "--username", PIOTR.username, ...ACT]);
      for (const lines of [
        ["state: active", "username: p•••ki", "phone: ••• ••• 002", "newPhone: none"],
        ["  - policyNo: POL-110002", "    premium:", String.raw`      amount: 50\.00`, "      currency: EUR"],
        ["tries:", "  - where: unknown-browsers", "    tries: 5", `    lockedUntil: ${TIME}`],
        ["trustedDevices:", "  - deviceName: Firefox, Linux", `    until: ${TIME}`, "knownBrowsers: 1"],
        ["usedUpCaps: none", "messages:", "  - purpose: login", "    state: accepted"],
        [String.raw`registeredAt: 2026-11-20 13:00:00 CET \(12:00:00 UTC\)`],
        ["events:", `  - at: ${TIME}`, "    event: sign-in-locked"],
      ])
        expect(stdout).toMatch(new RegExp(`^${lines.join("\n")}\n`, "m"));
    });

    it("[S142] says what became of the last messages, and asks the gateway how far one has come", async () => {
      const server = await startSmsapiServer();
      onTestFinished(() => server.close());
      const second = await startSmsapiServer();
      onTestFinished(() => second.close());
      await signIn(desk.way, ANNA);
      await new Browser(desk.way).post(`/home/api/user/${ANNA.username}/password-reset/init`);
      const given = "state = 'accepted', gateway = 'smsapi', gateway_id = '63731'";
      await desk.way.change(`update messages set ${given} where purpose = 'login'`);
      const refused = "state = 'refused', gateway = 'smsapi', reason = 'error 13: the number cannot receive'";
      await desk.way.change(`update messages set ${refused} where purpose = 'password'`);
      const shown = async (less: Record<string, string> = {}) => {
        const env = {
          ...variablesOf(desk.way.place),
          SMS_GATEWAY: "smsapi",
          SMS_SMSAPI_URL: server.url,
          SMS_SMSAPI_TOKEN: server.token,
          SMS_SENDER: "Tarnea",
          LIMIT_SMS_SEND_MS: "3000",
          SMS_FALLBACK_GATEWAY: "smsapi",
          SMS_FALLBACK_SMSAPI_URL: second.url,
          SMS_FALLBACK_SMSAPI_TOKEN: second.token,
          SMS_FALLBACK_SENDER: "Tarnea",
          ...less,
        };
        const words = ["account", "show", "--username", ANNA.username, ...ACT, "--json"];
        const { code, stdout } = await runCommand(env, words);
        expect(code).toBe(0);
        return (JSON.parse(stdout) as { messages: unknown }).messages;
      };
      const messages = (progress?: string, gateway = "smsapi") => {
        const times = { writtenAt: ISO, since: ISO };
        const reason = "error 13: the number cannot receive";
        return [
          { purpose: "password", state: "refused", ...times, reason, gateway: "smsapi" },
          {
            purpose: "login",
            state: "accepted",
            ...times,
            gateway,
            gatewayId: "63731",
            ...(progress !== undefined && { progress }),
          },
        ];
      };
      server.report("DELIVERED");
      expect(await shown()).toEqual(messages("delivered"));
      server.behave("silent");
      expect(await shown({ LIMIT_SMS_SEND_MS: "300" })).toEqual(messages());

      // The id of one account means nothing to another.
      await desk.way.change("update messages set gateway = 'smsapi-fallback' where purpose = 'login'");
      second.report("UNDELIVERED");
      expect(await shown()).toEqual(messages("not delivered", "smsapi-fallback"));
      // Where the first one's secret is missing, the other one can be asked, and the rest is shown.
      expect(await shown({ SMS_SMSAPI_TOKEN: "" })).toEqual(messages("not delivered", "smsapi-fallback"));
      expect(await shown({ SMS_FALLBACK_SMSAPI_TOKEN: "" })).toEqual(messages(undefined, "smsapi-fallback"));
    });

    it("[S121] prints nothing from a device's name that could move a terminal's cursor", async () => {
      await signIn(desk.way, ANNA);
      await desk.way.change("update sessions set device_name = ?", "Fire\u001B[2Jfox\u202E\u009B");
      const { stdout } = await desk.run(["show", "--username", ANNA.username, ...ACT]);
      expect(stdout).toContain("deviceName: Fire?[2Jfox??\n");
      expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    });
  });
});
