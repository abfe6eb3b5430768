import { describe, expect, it } from "vitest";
import { Browser } from "../../contract/browser";
import { register } from "../../contract/register";
import { onAnyDatabase } from "../../database";
import { ANNA } from "../../demo-customers";
import { ZOFIA, importing, zofiaInsured } from "./importing";

const YEAR = { validFrom: "2026-03-01", validTo: "2027-02-28" };
const A_PID = [
  "pid: expected 11 digits (PESEL) for an individual",
  "10 (NIP) for a company",
  "at most 50 characters for a person without a PESEL",
].join(", ");
const FIRM = {
  kind: "company",
  name: "Mazur i Syn sp.j.",
  representative: "Jerzy Mazur",
  phone: "tel:0500/900/002",
  pid: "5260001246",
  policies: [{ policyNo: "pol-900002 ", name: "Flota", ...YEAR }],
};

onAnyDatabase((kind) => {
  describe("an import of policyholders", () => {
    const { way, imported, rows } = importing(kind);

    it("lets them register while the portal is running", async () => {
      expect((await imported(ZOFIA, FIRM)).counts).toEqual({ new: 2, changed: 0, unchanged: 0, refused: 0 });
      const person = await register(way(), { ...ZOFIA, policyNo: "POL-900001" });
      expect(person.name).toBe("Zofia Mazur");
      const firm = await register(way(), { ...FIRM, phone: "+48500900002", policyNo: "POL-900002" });
      expect(firm.name).toBe("Jerzy Mazur");
    });

    it("updates what has changed, and deletes nothing", async () => {
      await imported(ZOFIA);
      const renewed = { policyNo: "POL-900001", name: "OC i AC – Fiat 500", ...YEAR };
      const another = { policyNo: "POL-900003", name: "Dom", ...YEAR };
      const married = {
        ...ZOFIA,
        name: "Zofia Mazur-Nowak",
        phone: "+48500900009",
        policies: [renewed, another],
      };
      expect((await imported(married, married, ZOFIA)).counts).toEqual({
        new: 0,
        changed: 2,
        unchanged: 1,
        refused: 0,
      });
      await imported(married);
      const { name, browser } = await register(way(), { ...married, policyNo: "POL-900003" });
      expect(name).toBe("Zofia Mazur-Nowak");
      expect((await browser.get("/cp/api/policies")).body).toMatchObject({
        policies: [{ name: "OC i AC – Fiat 500" }, { name: "Dom" }],
      });
    });

    it("gives nobody another person's policy, and writes nothing from such a line", async () => {
      const taken = {
        ...ZOFIA,
        policies: [...ZOFIA.policies, { policyNo: "POL-100001", name: "Dom", ...YEAR }],
      };
      const before = await rows();
      const { counts, complaints } = await imported(taken, FIRM);
      expect(counts).toEqual({ new: 1, changed: 0, unchanged: 0, refused: 1 });
      expect(complaints).toEqual([
        "line 1: policies.1: expected a policy that belongs to no other policyholder",
      ]);
      expect(await rows()).toHaveLength(before.length + 2);
      expect((await new Browser(way()).login(ANNA)).status).toBe(200);
    });

    it("keeps the product of a known policy and a known e-mail address if a line names none", async () => {
      const [policy] = ZOFIA.policies;
      const travel = { policyNo: "POL-900003", name: "Alpy", ...YEAR };
      const named = {
        ...ZOFIA,
        email: "zofia@poczta.example",
        policies: [{ ...policy, product: "car" }, travel],
      };
      await imported(named);
      const before = await rows();
      expect((await imported({ ...ZOFIA, policies: [policy, travel] })).counts.unchanged).toBe(1);
      expect(await rows()).toEqual(before);
      expect(
        (await imported({ ...named, policies: [policy, { ...travel, product: "travel" }] })).counts.changed,
      ).toBe(1);
      const { browser } = await register(way(), { ...ZOFIA, policyNo: "POL-900001" });
      const { body } = await browser.get("/cp/api/policies");
      expect(body).toMatchObject({ policies: [{ product: "car" }, { product: "travel" }] });
    });

    it("gives a new policy without a product the product other, and stores an e-mail address encrypted", async () => {
      await imported({ ...ZOFIA, email: " Zofia.Mazur@poczta.example " });
      expect(await way().query("select product from policies where policy_no = ?", "POL-900001")).toEqual([
        { product: "other" },
      ]);
      const email = async () =>
        way().query(
          "select email_sealed from customers join policies on customer_id = customers.id where policy_no = ?",
          "POL-900001",
        );
      const [first] = await email();
      expect(first?.["email_sealed"]).toMatch(/^1\./);
      expect(JSON.stringify(first)).not.toContain("oczta");
      expect((await imported({ ...ZOFIA, email: "zofia@poczta.example" })).counts.changed).toBe(1);
      expect((await email())[0]).not.toEqual(first);
    });

    it("writes a line with 5,000 policies", async () => {
      const policies = Array.from({ length: 5000 }, (_, nth) => ({
        policyNo: `POL-95${nth}`,
        name: "Dom",
        ...YEAR,
      }));
      expect((await imported({ ...ZOFIA, policies })).counts.new).toBe(1);
      expect(
        await way().query("select count(distinct id) as n from policies where policy_no like 'POL-95%'"),
      ).toEqual([{ n: 5000 }]);
    });
  });
});

const FORTY = "x".repeat(40);
const FIELDS = "expected kind, name, representative, phone, email, pid, policies and nothing else";

describe("an import of policyholders", () => {
  const { imported, rows } = importing("sqlite", "all");

  it.each<[string, object | string | undefined, string]>([
    ["no JSON", "Zofia Mazur;92020212341", "not JSON"],
    ["JSON that is no object", '"Zofia Mazur"', FIELDS],
    ["a misspelled field", { ...ZOFIA, e_mail2: "zofia@poczta.example" }, "unknown field e_mail2"],
    ["a field of 40 letters", { ...ZOFIA, [FORTY]: 1 }, `unknown field ${FORTY}`],
    ["a field of 41 letters", { ...ZOFIA, [`${FORTY}x`]: 1 }, FIELDS],
    ["no kind", { ...ZOFIA, kind: "person" }, "kind: expected individual, no-id or company"],
    ["an extra field", { ...ZOFIA, "Zofia Mazur": 1 }, FIELDS],
    ["no name", { ...ZOFIA, name: " " }, "name: expected a name of at most 200 characters"],
    [
      "a broken character",
      { ...ZOFIA, name: "Zofia \uFFFDazur" },
      "name: expected a name of at most 200 characters",
    ],
    ["a short phone", { ...ZOFIA, phone: "50090000" }, "phone: expected a number such as +48500100001"],
    ["a PESEL of ten digits", { ...ZOFIA, pid: "9202021234" }, A_PID],
    ["no policy", { ...ZOFIA, policies: [] }, "policies: expected at least one policy"],
    [
      "an unknown product",
      zofiaInsured({ product: "Fiat" }),
      "policies.0.product: expected one of home, car, travel, life, health, business, other",
    ],
    ["a line that is too long", undefined, "expected a line of at most 1 MB"],
    [
      "a date that doesn't exist",
      zofiaInsured({ validTo: "2026-02-30" }),
      "policies.0.validTo: expected a day such as 2026-11-21",
    ],
    [
      "an end before the start",
      zofiaInsured({ validTo: "2026-02-01" }),
      "policies.0.validTo: expected a day no earlier than validFrom",
    ],
    [
      "a policy twice",
      { ...ZOFIA, policies: [ZOFIA.policies[0], ZOFIA.policies[0]] },
      "policies: expected each policy number once",
    ],
    [
      "a field twice, whatever its values",
      JSON.stringify(ZOFIA).replace('"pid":', '"pid":"92020212341","pid":'),
      "pid is given twice",
    ],
    [
      "a name as a field, twice",
      JSON.stringify(ZOFIA).replace('"kind":', '"Zofia Mazur":1,"Zofia Mazur":2,"kind":'),
      "a field is given twice",
    ],
    [
      "an individual's representative",
      { ...ZOFIA, representative: "Jerzy Mazur" },
      "representative: expected only for a company",
    ],
  ])(
    "[S93, S123] names a bad line by its number, and quotes nothing from it: %s",
    async (_what, line, problem) => {
      const before = await rows();
      const { counts, complaints } = await imported("", line);
      expect([counts.refused, complaints]).toEqual([1, [`line 2: ${problem}`]]);
      expect(await rows()).toEqual(before);
    },
  );
});
