import { describe, expect, it } from "vitest";
import { ALONE } from "~/backend/import/policyholder-batches.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { placePolicies, SeenNumbers } from "~/backend/import/plan-line.server";
import { readPolicyholder } from "~/backend/import/policyholder-line.server";
import { readPolicyNo } from "~/contract/rules";
import { register } from "../../contract/register";
import { onAnyDatabase } from "../../database";
import { ZOFIA, importing, linesOf } from "./importing";

const YEAR = { validFrom: "2026-03-01", validTo: "2027-02-28" };
const dom = (policyNo: string, more: object = {}) => ({ policyNo, name: "Dom", ...YEAR, ...more });
const OKSANA = {
  ...ZOFIA,
  kind: "no-id",
  phone: "+48500900004",
  pid: "FB 900004",
  policies: [dom("POL-904")],
};
const numbered = (...numbers: string[]) => ({ ...ZOFIA, policies: numbers.map((number) => dom(number)) });

const ONE_SPELLING = "policies.0.policyNo: expected one spelling of a policy number in a file";
const EXACT_NUMBER =
  "policies.0.policyNo: expected the exact spelling: several policies differ only in spaces and hyphens";
const EXACT_PID = "pid: expected the exact spelling: several differ only in spaces and hyphens";

onAnyDatabase((kind) => {
  describe("[S127] an import", () => {
    const { way, imported, importedAt, store, rows } = importing(kind);
    const numbers = async () =>
      (
        await way().query(
          "select policy_no from policies where policy_no like 'POL%9000%' order by policy_no",
        )
      ).map(({ policy_no }) => policy_no);

    it("takes another spelling of a policy number for that policy, which keeps its spelling", async () => {
      await imported(numbered("POL-900001"));
      const before = await rows();
      expect((await imported(numbered("pol\u2013900001"))).counts.unchanged).toBe(1);
      expect((await imported(numbered("POL 900001"))).counts.unchanged).toBe(1);
      expect(await rows()).toEqual(before);
      const renamed = { ...ZOFIA, policies: [dom("POL900001", { name: "Dom i garaż" })] };
      expect((await imported(renamed)).counts.changed).toBe(1);
      expect(await numbers()).toEqual(["POL-900001"]);
    });

    it("takes another spelling of an identifier for that policyholder", async () => {
      await imported(ZOFIA, OKSANA);
      const before = await rows();
      const again = [
        { ...ZOFIA, pid: "920202-12341" },
        { ...OKSANA, pid: "fb900004" },
        { ...OKSANA, pid: "F B\u2010900004" },
      ];
      expect((await imported(...again)).counts).toMatchObject({ unchanged: 3, refused: 0 });
      expect(await rows()).toEqual(before);
    });

    it("refuses another spelling of another person's policy", async () => {
      const { counts, complaints } = await imported(numbered("POL 100001"));
      expect([counts.refused, complaints]).toEqual([
        1,
        ["line 1: policies.0: expected a policy that belongs to no other policyholder"],
      ]);
    });

    it.each<[string, string, string[]]>([
      ["new", "POL-900001", []],
      ["stored in a third one", "POL-900001", ["POL900001"]],
    ])("refuses a second spelling in one file, of a policy that is %s", async (_what, first, stored) => {
      if (stored.length > 0) await imported(numbered(...stored));
      const before = await numbers();
      const { counts, complaints } = await imported(
        numbered(first),
        { ...ZOFIA, name: "Zofia Mazur-Nowak", policies: [dom("POL 900001")] },
        numbered("pol\u2212900001"),
      );
      expect([counts.refused, complaints]).toEqual([1, [`line 2: ${ONE_SPELLING}`]]);
      expect(await numbers()).toEqual(before.length > 0 ? before : ["POL-900001"]);
      expect((await register(way(), { ...ZOFIA, policyNo: "POL900001" })).name).toBe(ZOFIA.name);
    });

    it("refuses it line by line and within one line, too", async () => {
      const alone = { ...ALONE, most: { ...ALONE.most, rows: 1 } };
      const lines = linesOf([numbered("POL-900001"), numbered("POL 900001")]);
      expect((await importedAt(alone, store(), lines)).complaints).toEqual([`line 2: ${ONE_SPELLING}`]);
      expect((await imported(numbered("POL-900002", "POL 900002"))).complaints).toEqual([
        "line 1: policies: expected each policy number once",
      ]);
    });

    it("finds stored numbers that became equal by their exact spelling alone", async () => {
      await imported(numbered("POL-900001", "POL-900002"));
      await way().change(
        "update policies set policy_no = 'POL 900001', policy_no_compared = 'POL900001' where policy_no = 'POL-900002'",
      );
      expect((await imported(numbered("POL-900001", "POL-9000 02"))).counts.changed).toBe(1);
      expect((await imported(numbered("POL-900001"), numbered("POL 900001"))).counts.unchanged).toBe(2);
      expect((await imported(numbered("POL900001"))).complaints).toEqual([`line 1: ${EXACT_NUMBER}`]);
    });

    it("finds policyholders who became equal by their exact spelling alone", async () => {
      await imported(OKSANA, { ...OKSANA, pid: "FB9", policies: [dom("POL-909")] });
      await way().change(
        `update customers set pid_compared_index = (
          select pid_compared_index from customers join policies on customers.id = customer_id
          where policy_no = 'POL-904')
        where id = (select customer_id from policies where policy_no = 'POL-909')`,
      );
      expect((await imported(OKSANA)).counts.unchanged).toBe(1);
      expect((await imported({ ...OKSANA, pid: "FB900004" })).complaints).toEqual([`line 1: ${EXACT_PID}`]);
    });
  });
});

describe("[S116] the numbers that an import remembers", () => {
  const nth = (at: number) => readPolicyNo(`POL-${at}`);

  it("are bounded: beyond that, nobody knows, and those from before are still known", () => {
    const seen = new SeenNumbers(1000);
    for (let at = 0; at < 2000; at += 1) seen.add(nth(at));
    expect(seen.spellingOf(nth(0))).toBe("same");
    expect(seen.spellingOf(readPolicyNo("POL 999"))).toBe("another");
    expect(seen.spellingOf(nth(1000))).toBe("forgotten");
  });

  it("are told the stored spelling alone from then on, so that no two become one unseen", () => {
    const full = new SeenNumbers(0);
    const stored = { ...row, policy_no: "POL-900001", policy_no_compared: "POL900001" };
    const placed = (number: string) => {
      const line = readPolicyholder(JSON.stringify(numbered(number)));
      if (!line.ok) throw new Error(line.problem);
      return placePolicies(makeKeyring([{ version: 1, key: Buffer.alloc(32) }]), line.holder, "zofia", {
        kept: new Map([["POL900001", [stored]]]),
        keptOut: { policy: () => undefined },
        seen: full,
        today: "2026-11-28",
      });
    };
    expect(placed("POL-900001")).toMatchObject({ ok: true, value: { changed: [] } });
    expect(placed("POL-900002")).toMatchObject({ ok: true, value: { changed: ["policies.0"] } });
    expect(placed("POL 900001")).toEqual({
      ok: false,
      problem: "policies.0.policyNo: expected the stored spelling, so far into a file",
    });
  });
});

const row = {
  id: "1",
  customer_id: "zofia",
  name: "Dom",
  product: "other" as const,
  valid_from: YEAR.validFrom,
  valid_to: YEAR.validTo,
  premium_sealed: null,
  changed_on: null,
};
