import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Browser, latestCode, wrongCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, KRYSTYNA } from "../../../demo-customers";
import { ACT, BY_EWA } from "../../../operator-command";
import { openHelpDesk, type HelpDesk } from "./help-desk";

const REGISTER = "/home/api/user/register";
const LIMITS = { SMS_OPEN_PER_10_MINUTES: 2, SMS_OPEN_PER_DAY: 2, SMS_POLICIES_OPEN_PER_DAY: 1 };

onAnyDatabase((kind) => {
  describe("[S97] account show, of a customer who has not registered", () => {
    let desk: HelpDesk;
    beforeEach(async () => {
      desk = await openHelpDesk(kind, LIMITS);
    });
    afterEach(() => desk.way.close());

    const { policyNo, pid, phone } = KRYSTYNA;
    const show = (...words: string[]) => desk.run(["show", "--policy-no", policyNo, ...ACT, ...words]);
    const shown = async () => JSON.parse((await show("--json")).stdout) as Record<string, object[]>;
    const register = async (claim = { policyNo, pid }) => {
      const browser = new Browser(desk.way);
      await browser.post(`${REGISTER}/init`, claim);
      return browser;
    };

    it("says what was sent and held back, and why, and what became of each try", async () => {
      const browser = await register();
      const authorizationCode = wrongCode(await latestCode(desk.way, phone));
      await browser.post(`${REGISTER}/confirm`, {
        policyNo,
        pid,
        authorizationCode,
        password: "Nowe-Haslo-2026",
      });
      await register();
      await register({ policyNo, pid: ANNA.pid });
      await new Browser(desk.way).post("/home/api/user/login-remind/init", { policyNo });
      expect(await shown()).toMatchObject({
        account: null,
        customerKind: "individual",
        phone: "••• ••• 001",
        reach: "mobile",
        policies: { all: 2 },
        usedUpCaps: [{ of: "codes-signed-out" }],
        messageStates: { accepted: 1 },
        messages: [{ purpose: "register", state: "accepted" }],
        tries: [
          { event: "code-for-nobody" },
          { event: "code-not-sent", detail: "cap reached: policy" },
          { event: "code-wrong" },
          { event: "code-sent" },
        ],
      });
      expect((await show()).stdout).toMatch(/^account: none\n/);
    });

    it("says whether the number can get an SMS, and counts refused messages", async () => {
      await desk.way.close();
      desk = await openHelpDesk(kind, {}, { SMS_PREFIXES: "+49" }, { smsPrefixes: ["+49"] });
      await register();
      expect(await shown()).toMatchObject({
        account: null,
        reach: "country",
        messageStates: {},
        messages: [],
        tries: [{ event: "code-not-sent", detail: "the number gets no SMS" }],
      });
      await desk.way.change(
        "insert into messages (id, customer_id, purpose, state, written_at, changed_at) select 'm', id, 'register', 'refused', ?, ? from customers where id = (select customer_id from policies where policy_no = ?)",
        desk.now,
        desk.now,
        policyNo,
      );
      expect((await shown())["messageStates"]).toEqual({ refused: 1 });
    });

    it("is audited under the customer, and says no whole identifier", async () => {
      const { stdout } = await show("--json");
      const [row] = await desk.way.query("select customer_id from policies where policy_no = ?", policyNo);
      const [event] = await desk.way.query("select * from audit_events where event = 'account-shown'");
      expect(event).toMatchObject({ account_id: null, subject: row?.["customer_id"], ...BY_EWA });
      for (const secret of [pid, phone.slice(3), KRYSTYNA.name]) expect(stdout).not.toContain(secret);
    });
  });
});
