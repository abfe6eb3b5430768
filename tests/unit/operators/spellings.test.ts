import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { blindIndex } from "~/backend/secrets/keyring.server";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, messagesTo } from "../../contract/browser";
import { register } from "../../contract/register";
import { onAnyDatabase } from "../../database";
import { ANNA } from "../../demo-customers";
import { ACT } from "../../operator-command";
import { openHelpDesk, type HelpDesk } from "./account/help-desk";
import { ZOFIA, importing } from "./importing";
import { openTestBackend } from "../backend/test-backend";

const YEAR = { validFrom: "2026-03-01", validTo: "2027-02-28" };
const dom = (policyNo: string) => ({ policyNo, name: "Dom", ...YEAR });
const OKSANA = {
  ...ZOFIA,
  kind: "no-id",
  name: "Oksana Koval",
  phone: "+48500900004",
  pid: "fb 900004",
  policies: [dom("umowa 7/2026-b")],
};
const FIRM = {
  ...ZOFIA,
  kind: "company",
  name: "Mazur i Syn sp.j.",
  phone: "+48500900005",
  pid: "526-000-12-46",
  policies: [dom("POL 900005")],
};
const INIT = "/home/api/user/register/init";
const REMIND = "/home/api/user/login-remind/init";

onAnyDatabase((kind) => {
  describe("[S127] a policy number and an identifier in another spelling", () => {
    const { way, imported } = importing(kind);

    it.each([
      ["a PESEL with a space, a number with an en dash", ZOFIA, "POL\u2013900001", "920202 12341"],
      [
        "a number without separators, invisible characters",
        ZOFIA,
        "pol900001\u200b",
        "\u206692020212341\u2069",
      ],
      ["a NIP that was stored with hyphens", FIRM, "pol-900005", "5260001246"],
      ["an identity document that was stored with a space", OKSANA, "UMOWA7/2026B", "FB900004"],
    ])("find their customer: %s", async (_what, person, policyNo, pid) => {
      expect((await imported(person)).complaints).toEqual([]);
      const { name, browser } = await register(way(), { ...person, policyNo, pid });
      expect(name).toBe(person.name);
      // As it was stored, for whatever was typed.
      const { body } = await browser.get("/cp/api/policies");
      const stored = person === OKSANA ? "UMOWA 7/2026-B" : person.policies[0]?.policyNo;
      expect(body).toMatchObject({ policies: [{ policyNo: stored }] });
    });

    it("find them for a reminder, too", async () => {
      await new Browser(way()).post(REMIND, { policyNo: "pol 100\u2011001" });
      expect(await messagesTo(way(), ANNA.phone)).toBe(1);
    });

    const asked = async (policyNo: string, pid: string, phone: string) => {
      const before = await messagesTo(way(), phone);
      await new Browser(way()).post(INIT, { policyNo, pid });
      return (await messagesTo(way(), phone)) - before;
    };

    it("find nobody if two stored numbers became equal: each is found by its exact spelling alone", async () => {
      const other = { ...ZOFIA, pid: "92020212357", phone: "+48500900006", policies: [dom("POL-900006")] };
      await imported(ZOFIA, other);
      await way().change(
        "update policies set policy_no = 'POL 900001', policy_no_compared = 'POL900001' where policy_no = 'POL-900006'",
      );
      expect(await asked("pol-900001", ZOFIA.pid, ZOFIA.phone)).toBe(1);
      expect(await asked("POL\u2010900001", ZOFIA.pid, ZOFIA.phone)).toBe(1);
      expect(await asked("POL 900001", other.pid, other.phone)).toBe(1);
      expect(await asked("POL\u00a0900001", other.pid, other.phone)).toBe(1);
      expect(await asked("POL900001", ZOFIA.pid, ZOFIA.phone)).toBe(0);
      expect(await asked("POL900001", other.pid, other.phone)).toBe(0);
    });

    it("find nobody if two policyholders of a kind became equal; one of another kind is not in the way", async () => {
      const other = { ...OKSANA, pid: "FB 900007", phone: "+48500900007", policies: [dom("POL-900007")] };
      await imported(OKSANA, other, { ...ZOFIA, pid: "90000400000" });
      const keyring = readOrMakeKeyFile(join(way().dataDir, KEY_FILE), true);
      const index = (pid: string) => blindIndex(keyring, "pid", pid);
      const renamed = async (from: string, to: string, compared: string) =>
        way().change(
          "update customers set pid_index = ?, pid_compared_index = ? where pid_index = ?",
          index(to),
          index(compared),
          index(from),
        );
      await renamed("90000400000", "FB900004", "FB900004");
      expect(await asked("UMOWA 7/2026-B", "fb-900004", OKSANA.phone)).toBe(1);
      await renamed("FB 900007", "FB9 00004", "FB900004");
      expect(await asked("UMOWA 7/2026-B", "fb 900004", OKSANA.phone)).toBe(1);
      expect(await asked("POL-900007", "FB9 00004", other.phone)).toBe(1);
      expect(await asked("UMOWA 7/2026-B", "FB-900004", OKSANA.phone)).toBe(0);
      expect(await asked("POL-900007", "FB900004", other.phone)).toBe(0);
    });
  });

  describe("[S97, S127] portal account show", () => {
    let desk: HelpDesk;
    beforeEach(async () => {
      desk = await openHelpDesk(kind);
    });
    afterEach(() => desk.way.close());

    it("asks for the exact spelling if it is not clear who is meant", async () => {
      const other = "update policies set policy_no = ?, policy_no_compared = 'POL100001' where policy_no = ?";
      await desk.way.change(other, "POL 100001", "POL-110002");
      const show = (number: string) => desk.run(["show", "--policy-no", number, ...ACT, "--json"]);
      expect(await show("POL100001")).toEqual({
        code: 2,
        stdout: "",
        stderr: "portal: several policies differ only in spaces and hyphens: give the exact number\n",
      });
      expect(JSON.parse((await show("pol-100001")).stdout)).toMatchObject({ username: "a•••ak" });
      expect(JSON.parse((await show("pol 100001")).stdout)).toMatchObject({ username: "p•••ki" });
    });
  });
});

it("[S7, S127] all spellings of unknown details meet the same cap", async () => {
  const way = await openTestBackend({ limits: defaultLimits("production") });
  const statuses: number[] = [];
  for (const [policyNo, pid] of [
    ["POL-999999", "ABC 123"],
    ["POL 999999", "abc123"],
    ["pol999999", "ABC-123"],
    ["POL\u2013999999", "ABC\u00a0123"],
    ["P-OL999999", "A BC123"],
  ])
    statuses.push((await new Browser(way).post(INIT, { policyNo, pid })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  await way.close();
});
