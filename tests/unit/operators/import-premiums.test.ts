import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isoDayInPoland } from "~/platform/time.server";
import { register } from "../../contract/register";
import { onAnyDatabase } from "../../database";
import { textOfTables } from "../backend/store/whole-database";
import { importing, ZOFIA, zofiaInsured } from "./importing";

const ACCOUNT = "PL75999000010000000000100001";
const PREMIUM = {
  amount: "129.00",
  currency: "PLN",
  dueOn: "2026-12-10",
  paidUntil: "2026-12-09",
  account: ACCOUNT,
  title: "Rata Kanarkowska POL-900001",
};
const NO_DETAILS = { dueOn: null, paidUntil: null, account: null, title: null };
const TODAY = isoDayInPoland(Date.now());

const yearsAway = (years: number) => `${Number(TODAY.slice(0, 4)) + years}${TODAY.slice(4)}`;

/** Zofia, with this in the premium's place; undefined lists none. */
const zofiaPaying = (premium: unknown, fields: object = {}) => zofiaInsured({ ...fields, premium });

describe("the premium of a line", () => {
  const { importedAs } = importing("sqlite", "all");

  const DAY = "expected a day such as 2026-12-10, in quotes";
  const AMOUNT = 'amount: expected an amount from "0.01" to "9999999.99", in quotes, with two decimal places';
  const ACCOUNT_FAULT =
    "account: expected an IBAN, or the 26 digits of a Polish account, with the right check digits";
  const TITLE = "title: expected one line of at most 105 characters";
  it.each<[string, unknown, string]>([
    ["an amount without decimal places", { amount: "129" }, AMOUNT],
    ["an amount with a comma", { amount: "129,00" }, AMOUNT],
    ["a negative amount", { amount: "-1.00" }, AMOUNT],
    ["nothing to pay", { amount: "0.00" }, AMOUNT],
    ["an amount as a number", { amount: 129 }, AMOUNT],
    ["no amount", { amount: null }, AMOUNT],
    ["another currency", { currency: "USD" }, "currency: expected PLN or EUR"],
    ["30 February", { dueOn: "2026-02-30" }, `dueOn: ${DAY}`],
    ["a Polish day", { paidUntil: "09.12.2026" }, `paidUntil: ${DAY}`],
    ["a day in the year 26", { dueOn: "0026-12-10" }, "dueOn: expected a day within 5 years of today"],
    [
      "a day in the year 2926",
      { paidUntil: "2926-12-09" },
      "paidUntil: expected a day within 5 years of today",
    ],
    ["a wrong digit", { account: ACCOUNT.replace("99", "98") }, ACCOUNT_FAULT],
    ["a Polish account that is too long", { account: "PL409990000100000000001000010" }, ACCOUNT_FAULT],
    ["check digits that no IBAN has", { account: "DE00999000010000000101" }, ACCOUNT_FAULT],
    ["a title of 106 characters", { title: "ż".repeat(106) }, TITLE],
    ["a title of two lines", { title: "Rata\nPOL-900001" }, TITLE],
    ["a title that is turned around", { title: "Rata \u202Ecba" }, TITLE],
    ["an unknown field", { kwota: "129.00" }, "unknown field kwota"],
    [
      "several faults",
      { amount: "129", account: "PL00", title: "\u0000" },
      [AMOUNT, ACCOUNT_FAULT, TITLE].join("; "),
    ],
  ])("is left out for %s, named by its line and field, and the policyholder is written", async (...row) => {
    const [, fault, says] = row;
    const line = zofiaPaying({ ...PREMIUM, ...Object(fault) });
    const told = `line 1: policies.0.premium: left out: ${says}`;
    const { counts, complaints, warnings } = await importedAs({ isRehearsal: true }, line);
    expect([counts.new, complaints, warnings.premiumLeftOut]).toEqual([1, [told], 1]);
    const strict = await importedAs({ isStrict: true }, line);
    expect([strict.counts, strict.complaints]).toEqual([
      { new: 0, changed: 0, unchanged: 0, refused: 1 },
      [told],
    ]);
  });

  it.each(["129.00", ["129.00"]])("is left out if it is %j and not an object", async (premium) => {
    expect((await importedAs({ isRehearsal: true }, zofiaPaying(premium))).complaints).toEqual([
      "line 1: policies.0.premium: left out: expected amount, currency, dueOn, paidUntil, account, title and nothing else",
    ]);
  });

  it.each<Record<string, unknown>>([
    ...["0.01", "9999999.99"].map((amount) => ({ ...PREMIUM, amount })),
    { ...PREMIUM, currency: "EUR", account: "DE89370400440532013000" },
    { ...PREMIUM, account: "GB82WEST12345698765432", title: "ż".repeat(105) },
    { amount: "129.00", currency: "PLN" },
    { ...PREMIUM, dueOn: "", paidUntil: " ", account: "", title: "" },
    { ...PREMIUM, dueOn: yearsAway(5), paidUntil: null },
  ])("may be %j", async (premium) => {
    expect(await importedAs({ isRehearsal: true }, zofiaPaying(premium))).toMatchObject({
      counts: { new: 1 },
      complaints: [],
    });
  });

  it("may be there on a withdrawn policy, whatever it is", async () => {
    const withdrawn = zofiaPaying({ amount: 1 }, { withdrawn: true });
    expect(await importedAs({ isRehearsal: true }, withdrawn)).toMatchObject({
      counts: { refused: 0 },
      complaints: [],
    });
  });
});

onAnyDatabase((kind) => {
  describe("premiums by import, while a portal serves", () => {
    const { way, imported, importedAs, rows } = importing(kind);
    afterEach(() => {
      vi.useRealTimers();
    });

    const zofia = async () => {
      const { browser } = await register(way(), { ...ZOFIA, policyNo: "POL-900001" });
      return async () => {
        const { body } = await browser.get("/cp/api/policies");
        const [listed] = (body as { policies: { id: string; premium?: object }[] }).policies;
        const page = (await browser.get(`/cp/api/policies/${listed?.id ?? ""}`)).body as typeof listed;
        expect(page?.premium).toEqual(listed?.premium);
        return listed?.premium;
      };
    };

    it("reach the customer's list and the policy's page, with the day of the import", async () => {
      await imported(zofiaPaying(PREMIUM));
      expect(await (await zofia())()).toEqual({ ...PREMIUM, asOf: TODAY });
    });

    it("keep null for each field that a line leaves out, and trim the title", async () => {
      await imported(zofiaPaying({ amount: "12.50", currency: "EUR", title: "  Rata\u00A0" }));
      expect(await (await zofia())()).toEqual({
        amount: "12.50",
        currency: "EUR",
        ...NO_DETAILS,
        title: "Rata",
        asOf: TODAY,
      });
    });

    it("have the account as systems write it", async () => {
      await imported(zofiaPaying({ ...PREMIUM, account: "75\u00A09990-0001 0000\u00A00000 0010 0001" }));
      expect(await (await zofia())()).toMatchObject({ account: ACCOUNT });
    });

    it("stay if a line lists none, or one with a fault; null takes them away", async () => {
      await imported(ZOFIA);
      const premium = await zofia();
      expect(await premium()).toBeUndefined();

      expect((await imported(zofiaPaying(PREMIUM))).counts).toMatchObject({ changed: 1 });
      const before = await rows();
      expect((await imported(ZOFIA)).counts).toMatchObject({ unchanged: 1 });
      const { complaints, warnings } = await imported(zofiaPaying({ ...PREMIUM, amount: "130" }));
      expect([complaints.length, warnings.premiumLeftOut]).toEqual([1, 1]);
      expect(await rows()).toEqual(before);
      await imported(zofiaInsured({ name: "OC i AC – Fiat 500" }));
      expect(await premium()).toEqual({ ...PREMIUM, asOf: TODAY });

      expect((await imported(zofiaPaying(null))).counts).toMatchObject({ changed: 1 });
      expect(await premium()).toBeUndefined();
      expect((await imported(zofiaPaying(null))).counts).toMatchObject({ unchanged: 1 });
    });

    it("change when any part changes, and a dry run says so without a word of it", async () => {
      await imported(zofiaPaying(PREMIUM));
      const before = await rows();
      for (const part of [
        { amount: "129.01" },
        { currency: "EUR" },
        { dueOn: null },
        { paidUntil: "2027-03-09" },
        { account: null },
        { title: "Rata 2" },
      ]) {
        const changed = zofiaPaying({ ...PREMIUM, ...part });
        expect((await importedAs({ isRehearsal: true }, changed)).complaints).toEqual([
          "line 1: changes policies.0",
        ]);
      }
      expect(await rows()).toEqual(before);
    });

    it("are of the last day on which a line listed them, and the same ones are no change", async () => {
      const at = (day: string) => vi.setSystemTime(`${day}T12:00:00Z`);
      vi.useFakeTimers({ toFake: ["Date"] });
      at("2026-12-01");
      await imported(zofiaPaying(PREMIUM));
      at("2026-12-02");
      expect((await imported(zofiaPaying(PREMIUM))).counts).toMatchObject({ unchanged: 1 });
      at("2026-12-03");
      await imported(ZOFIA);
      const premium = await zofia();
      expect(await premium()).toEqual({ ...PREMIUM, asOf: "2026-12-02" });
      // The evening of UTC is the next day in Poland.
      vi.setSystemTime("2026-12-03T23:30:00Z");
      await imported(zofiaPaying(PREMIUM));
      expect(await premium()).toEqual({ ...PREMIUM, asOf: "2026-12-04" });
    });

    it("note the day on which a line last changed the policy or its premium, and no other", async () => {
      const at = (day: string) => vi.setSystemTime(`${day}T12:00:00Z`);
      vi.useFakeTimers({ toFake: ["Date"] });
      const changedOn = async () =>
        (await way().query("select changed_on from policies where policy_no = 'POL-900001'"))[0]?.[
          "changed_on"
        ];
      at("2026-12-01");
      await imported(zofiaPaying(PREMIUM));
      expect(await changedOn()).toBe("2026-12-01");
      at("2026-12-02");
      await imported(zofiaPaying(PREMIUM));
      expect(await changedOn()).toBe("2026-12-01");
      at("2026-12-03");
      await imported(zofiaPaying({ ...PREMIUM, dueOn: "2026-12-20" }));
      expect(await changedOn()).toBe("2026-12-03");
      at("2026-12-04");
      await imported(zofiaPaying({ ...PREMIUM, dueOn: "2026-12-20" }, { validTo: "2030-12-31" }));
      expect(await changedOn()).toBe("2026-12-04");
    });

    it("[S85] can't be read in the database, or in SQLite's files", async () => {
      await imported(zofiaPaying(PREMIUM));
      const words = [PREMIUM.amount, ACCOUNT, PREMIUM.title];
      const rows = await textOfTables(way());
      for (const word of words)
        expect(
          rows.some(({ text }) => text.includes(word)),
          word,
        ).toBe(false);
      if (kind === "sqlite")
        for (const file of readdirSync(way().dataDir).filter((name) => name.startsWith("portal.db"))) {
          const bytes = readFileSync(join(way().dataDir, file));
          for (const word of words) expect(bytes.includes(word), `${word} in ${file}`).toBe(false);
        }
    });
  });
});
